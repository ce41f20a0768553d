import EventLoops
import LoopTesting
import Testing

@Suite struct ConnectAttemptTests {
  @Test func `nobody there is told as an error, later`() throws {
    try TestLoop.run { test in
      // A port that has just become free.
      let listener = try Acceptor().listen(on: test.loop)
      let port = listener.localPort
      listener.close()
      var errors: [EndpointError] = []
      _ = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result in
        if case .failure(let error) = result { errors.append(error) }
      }
      #expect(errors.isEmpty)
      try test.run { !errors.isEmpty }
      #expect(errors[0].attempt == .connect)
      #expect(errors[0].endpoint == "127.0.0.1:\(port)")
      #expect(errors[0].cause == .system(UVError("connect", .connectionRefused)))
    }
  }

  @Test func `a name is resolved, and its addresses are tried in turn`() throws {
    try TestLoop.run { test in
      // Listens on only one of the address families of "localhost".
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop)
      let client = try Acceptor.connect(to: listener, host: "localhost", on: test)
      try test.run { !acceptor.streams.isEmpty }
      #expect(client.peerAddress == "127.0.0.1:\(listener.localPort)")
    }
  }

  @Test func `a name that cannot be is an error`() throws {
    try TestLoop.run { test in
      var error: EndpointError?
      _ = try ConnectAttempt(host: "no such host", port: 1, on: test.loop) { result in
        if case .failure(let failure) = result { error = failure }
      }
      try test.run { error != nil }
      #expect(error?.cause.description.hasPrefix("getaddrinfo: ") == true)
    }
  }

  @Test func `an attempt that was cancelled is not heard of`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop)
      var calls = 0
      let attempt = try ConnectAttempt(
        host: "127.0.0.1", port: listener.localPort, on: test.loop
      ) { _ in
        calls += 1
      }
      attempt.cancel()
      attempt.cancel()
      _ = try Acceptor.connect(to: listener, on: test)
      #expect(calls == 0)
    }
  }

  @Test func `a loop may close amid attempts`() throws {
    var calls = 0
    try TestLoop.run { test in
      let listener = try Acceptor().listen(on: test.loop)
      for host in ["127.0.0.1", "::1", "localhost"] {
        _ = try ConnectAttempt(host: host, port: listener.localPort, on: test.loop) { _ in
          calls += 1
        }
      }
    }
    #expect(calls == 0)
  }

  @Test func `a socket path that is missing or too long is an error`() throws {
    try TestLoop.run { test in
      var error: EndpointError?
      _ = try ConnectAttempt(socketPath: "/nowhere/at/all", on: test.loop) { result in
        if case .failure(let failure) = result { error = failure }
      }
      try test.run { error != nil }
      #expect(error?.cause == .system(UVError("connect", .noSuchFile)))

      let long = #expect(throws: EndpointError.self) {
        _ = try ConnectAttempt(
          socketPath: "/" + String(repeating: "a", count: 107), on: test.loop
        ) { _ in }
      }
      #expect(long?.cause == .system(UVError("connect", .nameTooLong)))
    }
  }
}
