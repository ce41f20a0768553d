import MatineeClient
import Testing

@testable import TerminalStory

/// Ann uses a box with a terminal, which takes the ready-made view for all but banners.
@MainActor @Suite(.serialized, .hangLimit) struct MatineeTerminalTests {
  private static let campaigns = [
    "genre.yaml": """
    triggers: {event: Film Finished}
    message:
      message: Drama, Comedy, Science fiction
      buttons: [Submit]
      extras: {view_type: picker, attribute_key: genre}
    """,
    "thanks.yaml": """
    triggers: {event: Guide Opened}
    message:
      kind: slideup
      message: "More for you: {{user.genre}}"
      closing: {after: never}
      extras: {edge_offset: 40}
    """,
    "topics.yaml": """
    triggers: {event: Settings Opened}
    message:
      kind: full
      message: Invitations, New films, Offers
      buttons: [Save]
      extras: {view_type: table_list, attribute_key: topics}
    """,
    "saved.yaml": """
    triggers: {event: Topics Shown}
    message: {message: "You get {{user.topics}}"}
    """,
    "primer.yaml": """
    triggers: {event: Group Joined}
    message:
      message: Shall we tell you when it begins?
      buttons: [Not now, {text: "Yes, please", clickAction: requestPushPermission}]
      extras: {view_type: permission}
    """,
    "soon.yaml": """
    triggers: {event: Film Near}
    message: {kind: banner, title: Soon, message: It begins soon, closing: {after: never}}
    """,
  ]

  private func with(_ body: (FilmBox, InAppMessages) async throws -> Void) async throws {
    try await Server.run(campaigns: Self.campaigns) { server in
      let client = try await GroupWatchClient.online("Ann", on: "box", at: server)
      defer { client.close() }
      try await body(FilmBox(client), client.inAppMessages)
    }
  }

  /// Waits until a message is on screen, down to the hint about keys, and has a text.
  private func reads(_ text: String, on app: FilmBox, _ messages: InAppMessages) async throws {
    try await messages.visible.becomes { $0 != nil }
    try await becomesTrue {
      app.screen.contains { $0.contains(text) } && app.screen.last?.contains("closes") == true
    }
  }

  @Test func `a row is chosen by its number, and a strip keeps its distance from the edge`()
    async throws
  {
    try await with { app, messages in
      messages.logEvent("Film Finished")
      try await reads("Science fiction", on: app, messages)
      app.type("2")
      app.type("")
      try await messages.visible.becomes { $0 == nil }
      messages.logEvent("Guide Opened")
      try await reads("More for you: Comedy", on: app, messages)
      // Two rows of twenty points each, between the message's frame and the hint.
      #expect(app.screen.suffix(3).dropLast() == ["", ""])
      #expect(app.screen.dropLast(3).last?.hasPrefix("└") == true)
    }
  }

  @Test func `a switch is turned off by its number, and the others are kept`() async throws {
    try await with { app, messages in
      messages.logEvent("Settings Opened")
      try await reads("[x] Offers", on: app, messages)
      app.type("3")
      try await reads("[ ] Offers", on: app, messages)
      app.type("")
      try await messages.visible.becomes { $0 == nil }
      messages.logEvent("Topics Shown")
      try await reads("You get Invitations, New films", on: app, messages)
    }
  }

  @Test func `who agrees to the primer is asked by the app, and only then`() async throws {
    try await with { app, messages in
      messages.logEvent("Group Joined")
      try await reads("Shall we tell you when it begins?", on: app, messages)
      #expect(!app.mayNotify)
      app.type("7")
      #expect(app.screen.last == "that does nothing here")
      app.type("2")
      try await becomesTrue { app.mayNotify }
    }
  }

  @Test func `banners come in the app's own view, and a preview shows nobody a message`()
    async throws
  {
    try await with { app, messages in
      messages.logEvent("Film Near")
      try await becomesTrue { app.ticker.line == "It begins soon" }
      #expect(app.screen.isEmpty)
      app.type("esc")
      #expect(app.screen == ["that does nothing here"])
      app.preview(
        InAppMessage(id: MessageID("draft"), kind: .modal, body: .text(.init("A film for two"))))
      #expect(app.screen.contains { $0.contains("A film for two") })
      #expect(app.ticker.line == "It begins soon")
    }
  }
}
