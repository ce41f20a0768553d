import Coordination
import InAppMessaging
import MatineeClient
import Server
import Signatures
import Testing
import Vocabulary

/// What administrators do with the library, from outside of groups.
@Suite(.serialized, .hangLimit) struct AdministrationTests {
  /// An administrator, and a person in a group, by their tokens.
  private func withAdministrator(
    _ body: (ServerAdministration, GroupWatchClient, GroupWatchClient) async throws -> Void
  ) async throws {
    let server = try await ServerThread { $0.askForTokens() }
    defer { server.stop() }
    try await server.use([.onEvent("go", .text("Hello")) { $0.state = .draft }])
    let (root, ann) = (
      AppBackend(for: "Root") { $0.isAdministrator = true }, AppBackend(for: "Ann")
    )
    let administrator = try await Gathering.connect("Root", to: server) { options in
      options.credential = { try root.token() }
    }
    defer { administrator.close() }
    let person = try await Gathering.connect("Ann", to: server) { options in
      options.credential = { try ann.token() }
    }
    defer { person.close() }
    try await person.joinGroup(GroupID("room"))
    try await body(administrator.administration, administrator, person)
  }

  @Test func `an administrator closes groups, and nobody else administers`()
    async throws
  {
    try await withAdministrator { administration, administrator, person in
      let byPerson = await refusal { () throws(GroupWatchError) in
        try await person.administration.freeName(UserID("u-Root"))
      }
      #expect(byPerson == .forbidden)

      #expect(try await administrator.status().groups.map(\.id) == [GroupID("room")])
      let unknown = await refusal { () throws(GroupWatchError) in
        try await administration.closeGroup(GroupID("attic"))
      }
      #expect(unknown == .unknownGroup)
      // It is the only server.
      let drain = await refusal { () throws(GroupWatchError) in
        try await administration.drain(ServerID("10.0.0.2:7879"))
      }
      #expect(drain == .unknownServer)
      #expect(try await administrator.status().servers.isEmpty)
      try await administration.closeGroup(GroupID("room"))
      await person.groupState.group.becomes { $0 == nil }
      #expect(person.groupState.eligibility.current == .ineligible(.notInGroup))
    }
  }

  @Test func `where tokens say who people are, there are no keys and codes to change`()
    async throws
  {
    try await withAdministrator { administration, _, _ in
      let key = await refusal { () throws(GroupWatchError) in
        try await administration.changeKey(of: GroupID("room"))
      }
      let code = await refusal { () throws(GroupWatchError) in
        _ = try await administration.pairingCode(for: UserID("u-Ann"))
      }
      #expect([key, code] == [.noKey, .pairingRefused])
    }
  }

  @Test func `an administrator is told why a person does not see a campaign, and nobody else is`()
    async throws
  {
    try await withAdministrator { administration, _, person in
      let campaign = CampaignID("campaign")
      let explanation = try await administration.explain(campaign, for: person.identity.user)
      #expect(explanation.refusal == .notLive && explanation.last == nil)
      let all = try await administration.explanations(for: person.identity.user)
      #expect(all == [explanation])
      let unknown = await refusal { () throws(GroupWatchError) in
        _ = try await administration.explanations(for: UserID("u-Nobody"))
      }
      let none = await refusal { () throws(GroupWatchError) in
        _ = try await administration.explain(CampaignID("none"), for: person.identity.user)
      }
      let byPerson = await refusal { () throws(GroupWatchError) in
        _ = try await person.administration.explain(campaign, for: UserID("u-Root"))
      }
      #expect([unknown, none, byPerson] == [.unknownUser, .unknownCampaign, .forbidden])
    }
  }

  // MARK: With the administrator's key

  private static let key = "the-administrator-of-these-tests"

  @Test func `with the server's key one changes keys, removes people and lets devices in`()
    async throws
  {
    var settings = NotificationSettings()
    settings.administratorKey = try AdministratorKey(Self.key)
    var numbers = SystemRandomNumberGenerator()
    let keys = AccessKeys(InvitationKey(using: &numbers))
    let server = try await ServerThread(notifications: settings) { $0.access = .keys(keys) }
    defer { server.stop() }
    func connect(_ name: String, _ number: UInt64, code: String? = nil) async throws
      -> GroupWatchClient
    {
      try await Gathering.connect(name, to: server) { options in
        options.credential = { Secret(high: 1, low: number).text }
        options.pairingCode = code
      }
    }
    let root = try await Gathering.connect("Root", to: server) { $0.administratorKey = Self.key }
    let (ann, bob) = (try await connect("Ann", 1), try await connect("Bob", 2))
    defer { for client in [root, ann, bob] { client.close() } }
    try await ann.joinGroup(GroupID("room"), key: keys.founding.text)
    let first = await ann.groupState.key.becomes { $0 != nil } ?? nil
    try await root.administration.changeKey(of: GroupID("room"))
    let second = await ann.groupState.key.becomes { $0 != nil && $0 != first } ?? nil
    let old = await refusal { () throws(GroupWatchError) in
      try await bob.joinGroup(GroupID("room"), key: first)
    }
    #expect(old == .keyRefused)
    try await bob.joinGroup(GroupID("room"), key: second)
    let code = try await root.administration.pairingCode(for: UserID("u-Bob"))
    let phone = try await connect("Bob/phone", 3, code: code.text)
    defer { phone.close() }
    #expect(phone.connection.current == .online)
    await #expect(throws: GroupWatchError.self, "the name is taken") {
      _ = try await connect("Bob/tablet", 4)
    }
    try await root.administration.remove(UserID("u-Bob"), from: GroupID("room"))
    await bob.groupState.group.becomes { $0 == nil }
    await ann.groupState.group.becomes { $0?.members.map(\.name) == ["Ann"] }
    try await root.administration.freeName(UserID("u-Bob"))
    let next = try await connect("Bob/tablet", 4)
    defer { next.close() }
    #expect(next.connection.current == .online)
  }

  @Test func `nobody on the way reads the administrator's key or a pairing code`() async throws {
    let secrets: [(key: String?, pairingCode: String?)] = [(Self.key, nil), (nil, "K7Q2M9XA")]
    for (key, pairingCode) in secrets {
      let code = await refusal { () throws(GroupWatchError) in
        var options = ClientOptions()
        (options.administratorKey, options.pairingCode) = (key, pairingCode)
        options.security = .plaintext
        _ = try await GroupWatchClient.connect(
          to: Endpoint(host: "films.example", port: 7878),
          as: Identity(user: UserID("root"), device: DeviceID("root-1"), name: "Root"),
          options: options)
      }
      #expect(code == .tlsRequired)
    }
  }

  @Test func `with another key nobody administers`() async throws {
    var settings = NotificationSettings()
    settings.administratorKey = try AdministratorKey(Self.key)
    let server = try await ServerThread(notifications: settings)
    defer { server.stop() }
    let code = await refusal { () throws(GroupWatchError) in
      var options = ClientOptions()
      (options.administratorKey, options.connectTimeout) = (Self.key + "!", .seconds(900))
      _ = try await GroupWatchClient.connect(
        to: server.endpoint,
        as: Identity(user: UserID("root"), device: DeviceID("root-1"), name: "Root"),
        options: options)
    }
    #expect(code == .wrongKey)
  }
}
