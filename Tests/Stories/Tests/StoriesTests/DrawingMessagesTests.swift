import MatineeClient
import Testing

@testable import Stories

/// Ann uses the shop's app, which draws all messages itself.
@MainActor @Suite(.serialized, .hangLimit) struct DrawingMessagesTests {
  private static let campaigns = [
    "half-price.yaml": """
    name: Half price
    triggers: {event: Shop Opened}
    message:
      kind: card
      title: Half price
      body: Until midnight
      image: https://shop.example/window.png
      impression: explicit
      buttons:
        - {id: secondary, text: Which ones, clickAction: {open: "https://shop.example/list"}}
        - {id: primary, text: To the shop, clickAction: {deepLink: "shop://front"}}
    """,
    "news.yaml": """
    name: News
    triggers: {event: News}
    reEligibility: always
    message: {kind: banner, title: New films, body: Three of them}
    """,
    "poster.yaml": """
    name: Poster
    triggers: {event: Poster}
    message: {kind: imageOnly, image: "https://shop.example/m.png"}
    """,
    "page.yaml": """
    name: Page
    triggers: {event: Page}
    message: {kind: html, html: "<p>Hello</p>"}
    """,
    "thanks.yaml": """
    name: Thanks
    triggers: {messageClicked: half-price, button: secondary}
    message: {header: Thank you, message: It is a long list}
    """,
  ]

  private func with(_ body: (ShopApp, InAppMessages) async throws -> Void) async throws {
    try await Server.run(campaigns: Self.campaigns) { server in
      let client = try await GroupWatchClient.online("Ann", at: server)
      defer { client.close() }
      try await body(ShopApp(client), client.inAppMessages)
    }
  }

  /// Waits until a pop-up is drawn and the library knows that it is on screen.
  private func popUp(
    of app: ShopApp, _ messages: InAppMessages
  ) async throws -> ShopApp.PopUp {
    let popUp = try await appears { app.popUp }
    try await messages.visible.becomes { $0 != nil }
    return popUp
  }

  @Test func `a card comes again until it is seen`() async throws {
    try await with { app, messages in
      app.happens("Shop Opened")
      let card = try await popUp(of: app, messages)
      guard case .card(let title, let text, let picture, let buttons) = card else {
        throw Ended()
      }
      #expect(title == "Half price" && text == "Until midnight")
      #expect(picture == "https://shop.example/window.png")
      #expect(buttons.map(\.id) == ["secondary", "primary"])
      let events = messages.events
      app.loseSight()
      let warning = try await events.next("iam.warning", "iam.impression")
      #expect(warning.name == "iam.warning")

      app.happens("Shop Opened")
      #expect(try await popUp(of: app, messages) == card)
      app.seen()
      app.loseSight()
      try await messages.refuses("half-price", because: .frequency)
    }
  }

  @Test func `the second button opens its page, and the click brings the next message`()
    async throws
  {
    try await with { app, messages in
      app.happens("Shop Opened")
      _ = try await popUp(of: app, messages)
      app.seen()
      app.press("secondary")
      try await becomesTrue { app.page == "https://shop.example/list" }
      #expect(app.counted == ["Half price: seen", "Half price: secondary"])
      // The click is an event of its own.
      try await becomesTrue {
        app.popUp == .dialog(title: "Thank you", text: "It is a long list", buttons: [])
      }
    }
  }

  @Test func `a swiped banner is told as such`() async throws {
    try await with { app, messages in
      let events = messages.events
      app.happens("News")
      let banner = try await popUp(of: app, messages)
      #expect(banner == .banner(title: "New films", text: "Three of them"))
      app.close()
      let end = try await events.next("iam.didDismiss")
      guard case .didDismiss(let message, let reason) = end else { throw Ended() }
      #expect(message.campaign?.name == "News" && reason == .swipe)
      #expect(app.popUp == nil && app.counted.isEmpty)
    }
  }

  @Test func `a message that the app cannot draw frees the screen for the next one`() async throws {
    try await with { app, messages in
      let events = messages.events
      app.happens("Page")
      let end = try await events.next("iam.finished")
      guard case .finished(_, let outcome) = end else { throw Ended() }
      #expect(outcome == .refused(.invalidContent))
      #expect(app.popUp == nil)
      app.happens("Poster")
      try await becomesTrue { app.popUp == .picture("https://shop.example/m.png") }
    }
  }

  @Test func `behind the app's own pop-up a message waits`() async throws {
    try await with { app, messages in
      app.askForRating()
      app.happens("News")
      try await messages.stack.becomes { $0.count == 1 }
      #expect(app.popUp == .rating)
      await app.rated()
      try await becomesTrue { app.popUp == .banner(title: "New films", text: "Three of them") }
      try await messages.stack.becomes { $0.isEmpty }
    }
  }
}
