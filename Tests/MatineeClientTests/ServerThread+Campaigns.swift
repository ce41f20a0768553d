import EventLoops
import InAppMessaging
import MatineeClient
import Server

extension ServerThread {
  /// Runs with one person online, at a server with campaigns, and puts everything away.
  static func with(
    _ campaigns: [Campaign], adjust: @Sendable (inout ClientOptions) -> Void = { _ in },
    _ body: (GroupWatchClient, ServerThread) async throws -> Void
  ) async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    try await server.use(campaigns)
    let client = try await Gathering.connect("Ann", to: server, adjust: adjust)
    defer { client.close() }
    try await body(client, server)
  }

  /// Has the server go on with these campaigns, and waits until it does: a client that it tells
  /// before that of having none says nothing to it on this connection any more.
  func use(_ campaigns: [Campaign]) async throws {
    let set = try CampaignSet(campaigns)
    await withCheckedContinuation { continuation in
      thread.mailbox.post {
        $0.use(set)
        continuation.resume()
      }
    }
  }
}

extension Campaign {
  /// A campaign that answers an event with a message, again and again.
  static func onEvent(
    _ event: String, id: String = "campaign", _ message: InAppMessage,
    adjust: (inout Campaign) -> Void = { _ in }
  ) -> Campaign {
    var campaign = Campaign(
      id: CampaignID(id), name: id, triggers: [.event(name: event, filters: [])],
      variants: [Variant(id: "a", .message(message))])
    campaign.reEligibility = .after(.zero)
    campaign.interval = .ignore
    adjust(&campaign)
    return campaign
  }

  /// The player of what a group watches; outside a session, of what is watched alone.
  static var watchPlayer: Campaign {
    var message = InAppMessage.text("Watch", header: "{{event.title}}")
    message.extras = [
      "view_type": .string("video"), "video_url": .string("{{event.url}}"),
      "video_title": .string("{{event.title | default: Video Content}}"),
    ]
    message.buttons = [
      InAppMessage.Button(id: "share", text: "Share", clickAction: .session(.startForAll))
    ]
    return onEvent("SharePlay Event", id: "watch-player", message) { $0.bindsSession = true }
  }
}

extension InAppMessage {
  /// A modal with a text and perhaps buttons.
  static func text(
    _ text: String, header: String? = nil, buttons: [Button] = [], kind: Kind = .modal
  ) -> InAppMessage {
    var message = InAppMessage(
      id: MessageID("draft"), kind: kind, body: .text(Text(text, header: header)))
    message.buttons = buttons
    return message
  }
}
