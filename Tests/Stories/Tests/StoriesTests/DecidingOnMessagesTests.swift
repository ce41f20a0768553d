import MatineeClient
import Testing

@testable import Stories

/// Ann uses the cinema's app, which has a word in every message.
@MainActor @Suite(.serialized, .hangLimit) struct DecidingOnMessagesTests {
  private static let campaigns = [
    "premiere.yaml": """
    name: Premiere
    triggers: {event: Premiere Announced}
    reEligibility: always
    message:
      header: Metropolis
      message: On Friday at eight
      themes: {light: {background: "#FFFFFF"}, dark: {background: "#101010"}}
      buttons:
        - {id: more, text: Read more, clickAction: {open: "https://films.example/metropolis"}}
        - {id: book, text: Book, clickAction: {deepLink: "cinema://tickets"}}
    """,
    "delay.yaml": """
    name: Delay
    triggers: {event: Delayed}
    message: {kind: slideup, message: It begins at nine}
    """,
    "poster.yaml": """
    name: Poster
    triggers: {event: Poster Hung}
    message: {kind: full, header: M, image: "https://films.example/m.png", orientation: portrait}
    """,
    "popcorn.yaml": """
    name: Popcorn
    triggers: {event: Popcorn Ready}
    message: {message: Half price, extras: {topic: offer}}
    """,
  ]

  private func with(
    _ body: (CinemaApp, InAppMessages) async throws -> Void
  ) async throws {
    try await Server.run(campaigns: Self.campaigns) { server in
      let client = try await GroupWatchClient.online("Ann", at: server)
      defer { client.close() }
      try await body(CinemaApp(client), client.inAppMessages)
    }
  }

  @Test func `the app's own button replaces an action, and the other one opens its page`()
    async throws
  {
    try await with { app, messages in
      messages.platform.colorScheme = .dark
      messages.logEvent("Premiere Announced")
      let shown = try await appears { app.dialog.shown }
      #expect(shown.theme.background == Color(argb: 0xFFFF_FFFF))
      #expect(shown.buttons.map(\.text) == ["Read more", "Book"])
      app.dialog.press("book")
      try await becomesTrue { app.diary.count == 5 }
      #expect(
        app.diary == [
          "Premiere comes", "Premiere is there", "Premiere clicked Book", "Premiere goes",
          "Premiere closed by the person",
        ])
      #expect(app.screen == "box office" && app.dialog.shown == nil)

      messages.logEvent("Premiere Announced")
      try await appears { app.dialog.shown }
      app.dialog.press("more")
      try await becomesTrue { app.screen == "https://films.example/metropolis" }
    }
  }

  @Test func `during a film messages wait or are dropped, and come when it has ended`()
    async throws
  {
    try await with { app, messages in
      app.filmBegins()
      messages.logEvent("Popcorn Ready")
      try await becomesTrue { app.diary == ["not shown: choice"] }
      messages.logEvent("Premiere Announced")
      try await messages.stack.becomes { $0.count == 1 }
      messages.logEvent("Delayed")
      try await messages.stack.becomes { $0.count == 2 }
      #expect(messages.visible.current == nil && app.diary.count == 1)

      await app.filmEnds()
      #expect(try await appears { app.strip.shown }.message.slideup != nil)
      app.strip.close()
      try await becomesTrue { app.strip.shown == nil }
      await app.showNext()
      #expect(try await appears { app.dialog.shown }.message.campaign?.name == "Premiere")
      app.dialog.close()
      try await becomesTrue { app.dialog.shown == nil }
      await app.showNext()
      #expect(app.diary.last == "nothing waits")
      // Dropped is used up.
      try await messages.refuses("popcorn", because: .frequency)
    }
  }

  @Test func `each kind has its view, and one that the device is not held for does not come`()
    async throws
  {
    try await with { app, messages in
      messages.logEvent("Delayed")
      #expect(try await appears { app.strip.shown }.message.kind == .slideup)
      app.strip.close()
      try await becomesTrue { app.strip.shown == nil }

      messages.platform.orientation = .landscape
      messages.logEvent("Poster Hung")
      try await becomesTrue { app.diary.last == "not shown: orientation" }
      messages.platform.orientation = .portrait
      messages.logEvent("Poster Hung")
      let poster = try await appears { app.page.shown }
      #expect(poster.orientation == .portrait && poster.coversScreen)
      try await messages.statusBarHidden.becomes { $0 == true }
      app.page.close()
      try await messages.statusBarHidden.becomes { $0 != true }
      #expect(app.strip.shown == nil && app.dialog.shown == nil)
    }
  }
}
