import ArticleReading
import Testing
import UserNotifications

/// What the room's article says of handlers is so, and is all there is.
@Suite struct RoutingArticleTests {
  private let article: Article

  init() throws { article = try Article("UserNotifications") }

  private func registrationMode(_ cell: String) -> RegistrationMode? {
    cell.code.first.flatMap(RegistrationMode.init)
  }

  private static let payloads: [(String, HandlerRouting.Traits)] = [
    ("for its user", .init(isForUser: true, isContentAvailable: false)),
    ("for both", .init(isForUser: true, isContentAvailable: true)),
    ("silent", .init(isForUser: false, isContentAvailable: true)),
    ("neither", .init(isForUser: false, isContentAvailable: false)), ("local", .local),
  ]

  // Proves: K6, K21, K26
  @Test func `notifications arrive as the article has it`() throws {
    let rows = article.table(
      "Payload", "Mode", "In front", "In front, without W", "In the background",
      "Not running, and woken", "Not running")
    #expect(rows.count == Self.payloads.count * RegistrationMode.allCases.count)
    for row in rows {
      let traits = try #require(Self.payloads.first { $0.0 == row[0] }?.1)
      let mode = try #require(registrationMode(row[1]))
      let cells = [
        HandlerRouting(mode, .foreground).arrival(traits, hasWillPresent: true),
        HandlerRouting(mode, .foreground).arrival(traits, hasWillPresent: false),
        HandlerRouting(mode, .background).arrival(traits, hasWillPresent: true),
        HandlerRouting(mode, .notRunning).arrival(traits, hasWillPresent: true),
        HandlerRouting(mode, .notRunning).arrival(traits, hasWillPresent: true, isWoken: false),
      ]
      #expect(cells.map(\.text) == Array(row[2...]), "\(row[0]) \(mode)")
    }
  }

  private static let gestures: [(String, HandlerRouting.Gesture)] = [
    ("taps it", .tap), ("takes an action that opens the app", .action(isForeground: true)),
    ("takes an action in the background", .action(isForeground: false)),
    ("takes an action it does not have", .unknownAction),
    ("dismisses it, and its category asks", .dismissal(isAskedFor: true)),
    ("dismisses it", .dismissal(isAskedFor: false)),
  ]

  // Proves: K2, K3, K4, K5, K6, K13, K14, K26
  @Test func `responses are heard as the article has it`() throws {
    let rows = article.table("Does", "Mode", "Running", "Not running")
    #expect(rows.count == Self.gestures.count * RegistrationMode.allCases.count)
    for row in rows {
      let gesture = try #require(Self.gestures.first { $0.0 == row[0] }?.1)
      let mode = try #require(registrationMode(row[1]))
      for (phase, cell) in [
        (AppPhase.foreground, row[2]), (.background, row[2]), (.notRunning, row[3]),
      ] {
        let handlers = HandlerRouting(mode, phase).handlers(of: gesture, isRemote: true)
        #expect(handlers.letters == cell, "\(row[0]) \(mode) \(phase)")
      }
    }
  }

  @Test func `the figures of the article are the centre's`() {
    let settings = CenterSettings()
    #expect(settings.choicePatience == .seconds(5) && settings.completionPatience == .seconds(30))
    #expect(settings.keptLimit == 64 && settings.unlockPatience == .seconds(120))
    #expect(NotificationPayload.byteLimit == 4_096)
  }
}
