import MatineeClient
import Testing

@testable import Stories

/// Ann uses the film guide, which has a picker, a list of switches, a primer and a strip.
@MainActor @Suite(.serialized, .hangLimit) struct CustomViewsTests {
  private static let campaigns = [
    "genre.yaml": """
    triggers: {event: Film Finished}
    audience: {attributes: {genre: {set: false}}}
    reEligibility: always
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
      themes: {light: {background: "#EEEEEE"}, dark: {background: "#202020"}}
      extras: {edge_offset: 24}
    """,
    "topics.yaml": """
    triggers: {event: Settings Opened}
    message:
      kind: full
      message: Invitations, New films, Offers
      clickAction: {deepLink: "guide://topics"}
      extras: {view_type: table_list, attribute_key: topics}
    """,
    "saved.yaml": """
    triggers: {event: Guide Opened}
    message: {message: "{{user.topics}}"}
    """,
    "primer.yaml": """
    triggers: {event: Group Joined}
    reEligibility: always
    message:
      message: Shall we tell you when it begins?
      buttons: [Not now, {text: "Yes, please", clickAction: requestPushPermission}]
      extras: {view_type: permission}
    """,
    "map.yaml": """
    triggers: {event: Cinema Near}
    message: {message: A cinema is near, extras: {view_type: map}}
    """,
  ]

  private func with(_ body: (FilmGuide, InAppMessages) async throws -> Void) async throws {
    try await Server.run(campaigns: Self.campaigns) { server in
      let client = try await GroupWatchClient.online("Ann", at: server)
      defer { client.close() }
      try await body(FilmGuide(client), client.inAppMessages)
    }
  }

  private func text(_ view: CustomView) -> String? {
    guard case .text(let text)? = view.shown?.message.body else { return nil }
    return text.message
  }

  @Test func `what Ann picks is kept, and the strip that thanks her follows her device`()
    async throws
  {
    try await with { app, messages in
      messages.logEvent("Film Finished")
      try await becomesTrue { app.genres.rows == ["Drama", "Comedy", "Science fiction"] }
      app.genres.submit()
      app.genres.choice = "Comedy"
      app.genres.submit()
      try await becomesTrue { app.genres.shown == nil }
      messages.logEvent("Guide Opened")
      try await becomesTrue { text(app.strip) == "More for you: Comedy" }

      #expect(app.strip.distance == 58 && app.strip.shown?.orientation == .portrait)
      app.strip.bar = 20
      app.resize(width: 844, height: 390)
      try await becomesTrue { app.strip.shown?.orientation == .landscape }
      #expect(app.strip.distance == 44)
      #expect(app.strip.background == Color(argb: 0xFFEE_EEEE))
      app.darken()
      try await becomesTrue { app.strip.background == Color(argb: 0xFF20_2020) }

      // She has a genre now, so she is not asked again.
      try await messages.refuses("genre", because: .audience)
    }
  }

  @Test func `a touched switch closes nothing, and the topics that stay on are kept`() async throws
  {
    try await with { app, messages in
      messages.logEvent("Settings Opened")
      try await becomesTrue { app.topics.topics == ["Invitations", "New films", "Offers"] }
      app.topics.toggle("Offers")
      app.topics.toggle("Invitations")
      app.topics.toggle("Invitations")
      // By the time the server has answered, a click has closed what it closes.
      _ = try await messages.explanations()
      #expect(app.topics.off == ["Offers"] && app.topics.shown != nil)
      app.topics.save()
      try await becomesTrue { app.topics.shown == nil }
      messages.logEvent("Guide Opened")
      try await becomesTrue { text(app.standard) == "Invitations, New films" }
      // A message without buttons closes at a tap.
      app.standard.tap(isOnControl: false)
      try await becomesTrue { app.standard.shown == nil }
    }
  }

  @Test func `the system's question comes only after a yes, and then the primer no more`()
    async throws
  {
    try await with { app, messages in
      messages.logEvent("Group Joined")
      try await appears { app.primer.shown }
      app.primer.decline()
      try await becomesTrue { app.primer.shown == nil }
      messages.logEvent("Group Joined")
      try await appears { app.primer.shown }
      #expect(!app.asksForPush)
      app.primer.agree()
      try await becomesTrue { app.asksForPush && app.primer.shown == nil }

      let events = messages.events
      messages.logEvent("Group Joined")
      for await event in events {
        if case .finished(_, .refused(let refusal)) = event {
          #expect(refusal == .audience)
          return
        }
        #expect(event.name != "iam.willPresent")
      }
    }
  }

  @Test func `a view that the app does not have is the default one`() async throws {
    try await with { app, messages in
      let events = messages.events
      messages.logEvent("Cinema Near")
      try await becomesTrue { text(app.standard) == "A cinema is near" }
      let warning = try await events.next("iam.warning")
      guard case .warning(let problem, _) = warning else { throw Ended() }
      #expect(problem.kind == .unknownView && problem.detail == "map")
    }
  }
}
