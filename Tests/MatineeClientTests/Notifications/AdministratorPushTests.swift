import Coordination
import MatineeClient
import Signatures
import Testing

/// Notifications to one person, from a program that holds the administrator's key.
@Suite(.serialized, .hangLimit) struct AdministratorPushTests {
  private static let key = "the-administrator-of-these-tests"

  private func with(
    key: String?, _ body: (UserNotificationCenter, UserNotificationCenter) async throws -> Void
  ) async throws {
    var settings = NotificationSettings()
    settings.administratorKey = try key.map { try AdministratorKey($0) }
    let server = try await ServerThread(notifications: settings)
    defer { server.stop() }
    let ann = try await Gathering.connect("Ann", to: server)
    let backend = try await Gathering.connect("Backend", to: server)
    defer { for client in [ann, backend] { client.close() } }
    try await ann.notifications.register()
    try await body(backend.notifications, ann.notifications)
  }

  @Test func `who holds the key reaches one person, who is in no group`() async throws {
    try await with(key: Self.key) { backend, ann in
      let bell = Doorbell()
      ann.delegate = bell
      try await backend.push(
        to: UserID("u-Ann"), NotificationPayload(.init(body: .init("Tonight"))), key: Self.key)
      await bell.waits(for: "W Tonight")
      await ann.delivered.becomes { $0.map(\.content.body) == ["Tonight"] }
      #expect(backend.delivered.current.isEmpty)
    }
  }

  @Test func `whose token says so pushes and publishes without the key, and nobody else does`()
    async throws
  {
    let server = try await ServerThread { $0.askForTokens() }
    defer { server.stop() }
    let backends = [AppBackend(for: "Root") { $0.isAdministrator = true }, AppBackend(for: "Ann")]
    var clients: [GroupWatchClient] = []
    defer { for client in clients { client.close() } }
    for (name, backend) in zip(["Root", "Ann"], backends) {
      clients.append(
        try await Gathering.connect(name, to: server) { options in
          options.credential = { try backend.token() }
        })
    }
    let (root, ann) = (clients[0].notifications, clients[1].notifications)
    let tonight = NotificationPayload(.init(body: .init("Tonight")))
    // In the foreground what nobody shows is not delivered.
    ann.delegate = Doorbell()
    try await ann.register()
    try await ann.subscribe(to: TopicID("app/news"))
    try await root.push(to: UserID("u-Ann"), tonight)
    try await root.publish(
      to: TopicID("app/news"), .init(body: "New films"), category: "NEWS",
      data: ["count": .number(3)])
    await ann.delivered.becomes { $0.map(\.content.body) == ["Tonight", "New films"] }
    let news = try #require(ann.delivered.current.last)
    #expect(news.content.categoryID == "NEWS" && news.content.userInfo["count"] == .number(3))

    for code in [
      await refusal { () throws(GroupWatchError) in
        try await ann.push(to: UserID("u-Root"), tonight)
      },
      await refusal { () throws(GroupWatchError) in
        try await ann.publish(to: TopicID("app/news"), .init(body: "Me, too"))
      },
    ] { #expect(code == .forbidden) }
  }

  @Test func `nobody on the way reads a key that comes with a notification`() async throws {
    var options = ClientOptions()
    options.security = .plaintext
    let client = try GroupWatchClient(
      startingAt: Endpoint(host: "films.example", port: 7878),
      as: Identity(user: UserID("backend"), device: DeviceID("backend-1"), name: "Backend"),
      options: options)
    defer { client.close() }
    for code in [
      await refusal { () throws(GroupWatchError) in
        try await client.notifications.push(
          to: UserID("u-Ann"), NotificationPayload(.init(body: .init("Tonight"))), key: Self.key)
      },
      await refusal { () throws(GroupWatchError) in
        try await client.notifications.publish(
          to: TopicID("app/news"), .init(body: "New films"), key: Self.key)
      },
    ] { #expect(code == .tlsRequired) }
  }

  private static let refusals: [(String?, GroupWatchError.Code)] = [
    (key, .wrongKey), (nil, .noAdministrator),
  ]

  @Test(arguments: refusals)
  func `a wrong key pushes nothing, and no key opens a server without one`(
    key: String?, code: GroupWatchError.Code
  ) async throws {
    try await with(key: key) { backend, ann in
      let refused = await refusal { () throws(GroupWatchError) in
        try await backend.push(
          to: UserID("u-Ann"), NotificationPayload(.init(body: .init("Tonight"))),
          key: "some-other-key-of-these-tests")
      }
      #expect(refused == code && ann.delivered.current.isEmpty)
    }
  }
}
