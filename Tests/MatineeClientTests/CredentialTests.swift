import EventLoops
import GroupSessions
import MatineeClient
import Server
import Testing

/// Apps that prove who their people are, against a real server that asks for it.
@Suite(.serialized, .hangLimit) struct CredentialTests {
  private func connect(
    _ name: String, to server: ServerThread, with backend: AppBackend?,
    adjust: @Sendable (inout ClientOptions) -> Void = { _ in }
  ) async throws -> GroupWatchClient {
    try await Gathering.connect(name, to: server) { options in
      if let backend { options.credential = { try backend.token() } }
      adjust(&options)
    }
  }

  private func server(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws -> ServerThread {
    try await ServerThread { configuration in
      configuration.askForTokens()
      adjust(&configuration)
    }
  }

  /// Connects, and returns the error; a success is an issue.
  private func problem(
    of server: ServerThread, as name: String, with backend: AppBackend?,
    adjust: @Sendable (inout ClientOptions) -> Void = { _ in }
  ) async throws -> GroupWatchError? {
    do {
      let client = try await connect(name, to: server, with: backend, adjust: adjust)
      client.close()
      Issue.record("it came in")
      return nil
    } catch let error as GroupWatchError {
      return error
    }
  }

  @Test func `people with tokens watch together, whatever their devices are called`() async throws {
    let server = try await server()
    defer { server.stop() }
    var clients: [GroupWatchClient] = []
    defer { for client in clients { client.close() } }
    for name in ["Ann", "Bob"] {
      let client = try await GroupWatchClient.connect(
        to: server.endpoint,
        as: Identity(user: UserID("u-" + name), device: DeviceID("phone"), name: "somebody"),
        options: options(AppBackend(for: name)))
      clients.append(client)
      try await client.joinGroup(GroupID("room"))
    }
    for client in clients { await client.isEligible() }
    let members = try #require(clients[0].groupState.group.current?.members)
    #expect(members.map(\.name) == ["Ann", "Bob"])
    #expect(members.map(\.device) == clients.map(\.device))
    #expect(clients[0].device != clients[1].device && clients[0].device != DeviceID("phone"))
    #expect(clients[0].credentialProblem.current == nil)

    // Each finds itself among the others.
    let sessions = try await Gathering(server: server, clients: clients).watch()
    #expect(sessions[0].isLocallyInitiated && !sessions[1].isLocallyInitiated)
    #expect(try await sessions[0].ownParticipants() == [])
    try await clients[0].setPreferredDevice(true)
    await clients[1].groupState.group.becomes {
      $0?.members.filter(\.isPreferred).map(\.name) == ["Ann"]
    }
    try await clients[0].leaveGroup()
    await clients[0].groupState.group.becomes { $0 == nil }
  }

  private func options(_ backend: AppBackend) -> ClientOptions {
    var options = ClientOptions()
    options.playing = .simulated
    // A busy machine may take long to run the closure.
    options.connectTimeout = .seconds(600)
    options.credential = { try backend.token() }
    return options
  }

  @Test func `a token that is about to expire is renewed by itself`() async throws {
    // Each token is reported as about to expire at once.
    let server = try await server { $0.limits.credentialNotice = .seconds(3_600) }
    defer { server.stop() }
    let backend = AppBackend(for: "Ann")
    let client = try await connect("Ann", to: server, with: backend)
    defer { client.close() }
    try await client.joinGroup(GroupID("room"))
    await backend.isCalled(times: 4)
    #expect(client.connection.current == .online)
    #expect(client.groupState.group.current?.id == GroupID("room"))
    _ = try await client.status()
  }

  @Test func `after its token has expired a client comes back with another one`() async throws {
    let server = try await server()
    defer { server.stop() }
    let backend = AppBackend(for: "Ann") { $0.lifetime = 1 }
    let client = try await connect("Ann", to: server, with: backend)
    defer { client.close() }
    backend.state.withLock { $0.isAway = true }
    await client.connection.becomes { $0 != .online }
    await client.credentialProblem.becomes { $0?.code == .credentialUnavailable }
    #expect(client.credentialProblem.current?.message.hasSuffix("the backend is away") == true)
    backend.state.withLock { ($0.isAway, $0.lifetime) = (false, 3_600) }
    await client.connection.becomes { $0 == .online }
    await client.credentialProblem.becomes { $0 == nil }
  }

  @Test func `a wrong token is told with its reason, and not tried for ever`() async throws {
    let server = try await server()
    defer { server.stop() }
    let forger = AppBackend(for: "Ann") { $0.secret = AppBackend.otherSecret }
    let forged = try await problem(of: server, as: "Ann", with: forger)
    #expect(forged?.code == .credentialRefused && forged?.reason == "signature")
    #expect(forger.state.withLock { $0.calls } == 2)

    let another = try await problem(of: server, as: "Ann", with: AppBackend(for: "Bob"))
    #expect(another?.code == .credentialRefused && another?.reason == "user")
    let none = try await problem(of: server, as: "Ann", with: nil)
    #expect(none?.code == .credentialRequired)
  }

  @Test func `an app that has no token hears why`() async throws {
    let server = try await server()
    defer { server.stop() }
    let backend = AppBackend(for: "Ann") { $0.isAway = true }
    // On a busy machine the closure may not have been called in time.
    var problem: GroupWatchError?
    repeat {
      problem = try await self.problem(of: server, as: "Ann", with: backend) {
        $0.connectTimeout = .milliseconds(300)
      }
    } while problem?.message.contains("in time") == true
    #expect(problem?.code == .credentialUnavailable)
    #expect(problem?.message == "the app has no token for this person: the backend is away")
  }

  @Test func `a token that is slower than the connection may be is what is wrong`() async throws {
    let server = try await server()
    defer { server.stop() }
    let (never, writer) = AsyncStream.makeStream(of: String.self)
    let code = await refusal { () throws(GroupWatchError) in
      var options = ClientOptions()
      options.connectTimeout = .milliseconds(300)
      options.credential = {
        for await token in never { return token }
        throw CancellationError()
      }
      let me = Identity(user: UserID("ann"), device: DeviceID("ann-1"), name: "Ann")
      try await GroupWatchClient.connect(to: server.endpoint, as: me, options: options).close()
    }
    #expect(code == .credentialUnavailable)
    writer.finish()
  }

  @Test func `one person takes over between devices that the server has named`() async throws {
    let server = try await server()
    defer { server.stop() }
    var clients: [GroupWatchClient] = []
    defer { for client in clients { client.close() } }
    for name in ["Ann", "Bob", "Ann/tv"] {
      let person = String(name.prefix(3))
      clients.append(try await connect(name, to: server, with: AppBackend(for: person)))
    }
    for client in clients.prefix(2) {
      try await client.joinGroup(GroupID("room"))
    }
    for client in clients.prefix(2) { await client.isEligible() }
    _ = try await Gathering(server: server, clients: Array(clients.prefix(2))).watch()
    let tv = clients[2]
    try await tv.joinGroup(GroupID("room"))
    try await tv.setPreferredDevice(true)
    let session = try await tv.next()
    let own = try await session.ownParticipants()
    #expect(own.map(\.device) == [clients[0].device])
    try await session.takeOver()
    await session.state.becomes { $0 == .joined }
    #expect(session.localParticipant?.device == tv.device)
  }
}
