import HTTPRequests
import PushTesting
import Testing

/// Which connections a client makes, keeps and closes.
@Suite(.timeLimit(.minutes(30))) struct HTTPConnectionTests {
  @Test func `a connection is kept for the next request`() async throws {
    try await withServer { server, client in
      for _ in 0..<3 {
        let status = try await client.status(server.request())
        #expect(status == 200)
      }
      #expect(server.connections == 1)
    }
  }

  @Test func `nothing connects to a forbidden address`() async throws {
    try await withServer {
      $0.admits = { address, _ in address != "127.0.0.1" }
    } _: { server, client in
      #expect(await client.post(server.request()) == .failure(.forbiddenAddress))
      #expect(
        await client.post(server.request(named: "127.0.0.1")) == .failure(.forbiddenAddress))
      #expect(server.connections == 0)
    }
  }

  @Test func `an address is judged for the host that leads there`() async throws {
    try await withServer {
      $0.admits = { address, url in
        address == "127.0.0.1" && url.hasPrefix("http://push.example.net:")
      }
    } _: { server, client in
      let status = try await client.status(server.request())
      #expect(status == 200)
      let other = server.request(named: "other.example.net")
      #expect(await client.post(other) == .failure(.forbiddenAddress))
      #expect(server.connections == 1)
    }
  }

  @Test func `nothing connects to a forbidden address of a name that is bound anew`() async throws {
    let reply = PushReply.answer(200, fields: ["connection": "close"])
    try await withServer {
      $0.admits = { address, _ in address == "127.0.0.1" }
    } reply: { _ in
      reply
    } _: { server, client in
      let other = try await LocalPushService.start(host: "127.0.0.2", port: server.port) { _ in
        .answer(200)
      }
      #expect(try await client.status(server.request()) == 200)
      #expect(
        await client.post(server.request(at: "127.0.0.2")) == .failure(.forbiddenAddress))
      #expect(other.connections == 0)
      #expect(server.connections == 1)
      try await other.stop()
    }
  }

  @Test func `of several addresses, the allowed one is used`() async throws {
    try await withServer {
      $0.admits = { address, _ in address == "127.0.0.1" }
    } _: { server, client in
      let other = try await LocalPushService.start(host: "127.0.0.2", port: server.port) { _ in
        .answer(200)
      }
      let request = server.request(at: "127.0.0.2,127.0.0.1")
      #expect(try await client.status(request) == 200)
      #expect(other.connections == 0)
      try await other.stop()
    }
  }

  @Test func `an address of the sixth version is judged as a whole`() async throws {
    try await withServer {
      $0.admits = { address, _ in address != "::1" }
    } _: { server, client in
      #expect(
        await client.post(server.request(at: "[::1]")) == .failure(.forbiddenAddress))
    }
  }

  @Test func `so many idle connections are kept over all hosts, those used last`() async throws {
    let client = try RunningClient(plainSettings { $0.connections = 2 })
    var servers: [LocalPushService] = []
    for _ in 0..<4 { servers.append(try await LocalPushService.start { _ in .answer(200) }) }
    for server in servers {
      #expect(try await client.status(server.request()) == 200)
    }
    await servers[0].hasClosed(1)
    await servers[1].hasClosed(1)
    #expect(servers.map(\.openConnections) == [0, 0, 1, 1])
    await client.close()
    for server in servers { try await server.stop() }
  }

  @Test func `an idle connection is closed in time`() async throws {
    try await withServer {
      $0.idle = .milliseconds(20)
    } _: { server, client in
      for count in 1...2 {
        let status = try await client.status(server.request())
        #expect(status == 200)
        await server.hasClosed(count)
      }
      #expect(server.connections == 2)
    }
  }

  @Test func `a server that closes an idle connection costs no request`() async throws {
    try await withServer { server, client in
      let status = try await client.status(server.request())
      #expect(status == 200)
      let other = try await LocalPushService.start { _ in .answer(200) }
      #expect(try await client.status(other.request()) == 200)
      try await other.stop()
      let again = try await LocalPushService.start(port: other.port) { _ in .answer(201) }
      #expect(try await client.status(again.request()) == 201)
      try await again.stop()
    }
  }
}
