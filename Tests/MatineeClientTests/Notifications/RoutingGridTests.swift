import MatineeClient
import Testing

/// Scenario 15 over the public library and a real server: two ways to register, three things to
/// tap, two ways to come about, three phases.
@Suite(.serialized, .hangLimit) struct RoutingGridTests {
  enum Tap: CaseIterable {
    case action
    case bodyWithCategory
    case bodyWithoutCategory
  }

  /// Handlers of taps while the app is in front, in the background, not running; with a launch, the
  /// app finds out why it was started.
  static let grid: [(RegistrationMode, Tap, isRemote: Bool, [String])] = [
    (.center, .action, true, ["U", "U", "L U"]),
    (.center, .bodyWithCategory, true, ["U", "U", "L U"]),
    (.center, .bodyWithoutCategory, true, ["U", "U", "L U"]),
    (.center, .action, false, ["U", "U", "L U"]),
    (.center, .bodyWithCategory, false, ["U", "U", "L U"]),
    (.center, .bodyWithoutCategory, false, ["U", "U", "L U"]),
    (.legacySettings, .action, true, ["A", "A", "L A"]),
    (.legacySettings, .bodyWithCategory, true, ["R", "R", "L R"]),
    (.legacySettings, .bodyWithoutCategory, true, ["R", "R", "L R"]),
    (.legacySettings, .action, false, ["", "", "L"]),
    (.legacySettings, .bodyWithCategory, false, ["", "", "L"]),
    (.legacySettings, .bodyWithoutCategory, false, ["", "", "L"]),
  ]

  private static let topic = TopicID("user/u-Bob")

  /// Bob's phone and Ann, who brings what is remote: with a category an invitation, else a message.
  private struct Scene {
    let room: Gathering
    let bell = Doorbell()

    var bob: UserNotificationCenter { room.bob.notifications }

    /// Has a notification stand; returns its id.
    func bring(_ tap: Tap, isRemote: Bool, number: Int) async throws -> NotificationID? {
      let body = "n\(number)"
      switch (isRemote, tap) {
      case (true, .action), (true, .bodyWithCategory):
        _ = try await Film(title: body).activate(on: room.ann, ifBusy: .replace)
        return await bob.invitation()?.id
      case (true, .bodyWithoutCategory):
        try await bob.publish(
          to: RoutingGridTests.topic, NotificationPayload.Alert(body: .init(body)))
      case (false, _):
        var content = NotificationContent(body: body)
        if tap != .bodyWithoutCategory {
          content.categoryID = NotificationCategory.groupWatchInviteID
        }
        try await bob.schedule(NotificationRequest(id: NotificationID(body), content: content))
      }
      return await bob.stands(body)
    }
  }

  // Proves: K2, K3, K4, K5, K6, K8, K9, K12, K27, §7.15
  @Test(arguments: RegistrationMode.allCases)
  func `exactly the handlers of the grid hear of a tap`(mode: RegistrationMode) async throws {
    try await Gathering.with { room in
      let scene = Scene(room: room)
      let bob = scene.bob
      bob.install(scene.bell)
      bob.setCategories([
        NotificationCategory(
          id: NotificationCategory.groupWatchInviteID,
          actions: [NotificationAction(id: "OPEN", title: "Open", options: .foreground)])
      ])
      try await bob.register(mode)
      try await bob.subscribe(to: Self.topic)
      var expected: [String] = []
      for (number, row) in Self.grid.enumerated() where row.0 == mode {
        for (phase, cell) in zip(AppPhase.allCases, row.3) {
          // What comes in front is not shown by the older calls; it came before.
          bob.phase = .background
          let id = try #require(
            try await scene.bring(row.1, isRemote: row.2, number: number * 10 + expected.count))
          bob.phase = phase
          let launch = bob.launchResponse.current
          if row.1 == .action { bob.act(id, "OPEN") } else { bob.tap(id) }
          await bob.delivered.becomes { !$0.contains { $0.id == id } }
          var handlers = cell.split(separator: " ").map(String.init)
          let isLaunch = handlers.first == "L"
          if isLaunch { handlers.removeFirst() }
          expected += handlers
          if isLaunch {
            await bob.launchResponse.becomes { $0?.notification.id == id }
          } else {
            #expect(bob.launchResponse.current == launch)
          }
          if row.2, row.1 != .bodyWithoutCategory { try await endSession(of: room) }
        }
      }
      // Each handler hears in order: whatever was told it before stands before this.
      expected += try await ringOut(scene, mode)
      let heard = scene.bell.lines.map { String($0.prefix(1)) }
      #expect(heard.sorted() == expected.sorted())
      #expect(await bob.extraCompletions() == 0)
    }
  }

  /// Ends what Ann began, so that the next invitation is a new one.
  private func endSession(of room: Gathering) async throws {
    for session in try await room.ann.status().sessions {
      for await waiting in room.ann.sessions(of: Film.self) where waiting.id == session.id {
        try await waiting.join()
        try await waiting.end()
        break
      }
    }
    await room.bob.notifications.delivered.becomes { $0.isEmpty }
  }

  /// Has each handler of that mode called once more; returns which.
  private func ringOut(_ scene: Scene, _ mode: RegistrationMode) async throws -> [String] {
    let bob = scene.bob
    bob.phase = .background
    try await bob.publish(to: Self.topic, nil, data: ["x": 1])
    await scene.bell.waits(for: "R ")
    let id = try #require(try await scene.bring(.action, isRemote: true, number: 0))
    bob.act(id, "LAST")
    await scene.bell.waits { $0.hasSuffix("LAST") }
    return ["R", mode == .center ? "U" : "A"]
  }

  // Proves: §7.15
  @Test(arguments: RegistrationMode.allCases, AppPhase.allCases)
  func `a silent notification is for the receiver alone`(
    mode: RegistrationMode, phase: AppPhase
  ) async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let client = try await Gathering.connect("Bob", to: server)
    defer { client.close() }
    let bob = client.notifications
    let bell = Doorbell()
    bob.install(bell)
    bob.phase = phase
    try await bob.register(mode)
    try await bob.subscribe(to: Self.topic)
    try await bob.publish(to: Self.topic, nil, data: ["x": 1])
    await bell.waits(for: "R ")
    #expect(bell.lines == ["R "] && bob.delivered.current == [])
  }
}
