import InAppMessaging
import MatineeClient
import MatineeTerminal
import Stages

/// Draws in-app messages on a terminal, and handles keys and clicks.
///
/// Text from a campaign is never printed unescaped, because it could move the cursor or colour the
/// screen.
@MainActor
final class JoinMessages: MessageView, MessageActionHandler {
  /// When the last message came on screen.
  private(set) var shownAt: ContinuousClock.Instant?
  /// Called to watch this video with the group.
  var share: (@MainActor (_ url: String) -> Void)?
  private let client: GroupWatchClient
  private let sessions: SessionTeller
  private let voice: JoinVoice
  private let view: TerminalMessageView
  /// The video that a message opened without a session, and which message.
  private var alone: (message: MessageID, url: String)?

  init(
    _ client: GroupWatchClient, _ sessions: SessionTeller, _ voice: JoinVoice,
    size: @escaping @Sendable () -> TerminalSize
  ) {
    self.client = client
    self.sessions = sessions
    self.voice = voice
    view = TerminalMessageView(size: size) { lines in
      MainActor.assumeIsolated { for line in lines { voice.say(line) } }
    }
  }

  /// Handles a line if it is meant for the message on screen.
  func obey(_ line: String) -> Bool {
    guard view.isShowing, let key = MessageKey(line: line) else { return false }
    // While a film plays, Return alone prints the playback state.
    if view.isPlayer, key == .enter { return false }
    if !view.press(key) { voice.say("that does nothing here") }
    return true
  }

  /// Reports an event about the message on screen.
  func report(_ event: MessageViewEvent) throws {
    guard view.report(event) else { throw NotNow("noMessage") }
  }

  // MARK: Calls from the library

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        shownAt = .now
        play(shown)
      case .update(let shown): play(shown)
      case .dismiss: stop(presentation.id)
      case .pause: break  // The session is over, and its player has stopped with it.
      }
      view.carryOut(command, of: presentation)
    }
    stop(presentation.id)
    view.clear(presentation.id)
  }

  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) async {
    switch action {
    case .open(let url, _): voice.say("open \(url)")
    case .deepLink(let link): voice.say("go to \(link)")
    case .requestPushPermission:
      voice.say("you will be told when your group begins to watch")
      client.inAppMessages.platform.hasPushPermission = true
      client.inAppMessages.setAttribute("push_enabled", .bool(true))
    case .session(.startForAll):
      guard let video = message.video else { return }
      alone = nil
      share?(video.url)
    case .close, .logEvent, .setAttribute, .session, .sequence: break
    }
  }

  /// Ends what this message plays; the next one may be on screen already.
  private func stop(_ message: MessageID) {
    guard alone?.message == message else { return }
    client.player.unload()
    alone = nil
  }

  /// Plays the message's video if the person watches alone; in a session the player opens the
  /// group's media.
  private func play(_ shown: ShownMessage) {
    guard shown.viewType == ShippedView.video.rawValue, shown.message.session == nil,
      sessions.joined == nil, let video = shown.video, alone?.url != video.url
    else { return }
    alone = (shown.message.id, video.url)
    client.player.load(video)
  }
}

extension MessageEvent {
  /// The line printed for the event; `nil` for none.
  var text: String? {
    switch self {
    case .unsent(let what): "the server did not hear of \(what)"
    // An event that the client logs by itself is not reported, because the person did not ask for
    // it.
    case .noMatchingTrigger(let event) where event != InAppMessageOptions.defaultMediaEvent:
      "no campaign waits for the event \(event)"
    case .warning(let warning, _): "a message is not in order: \(warning)"
    default: nil
    }
  }
}

/// A verb about in-app messages: logs an event, sets an attribute, or presents the next message.
enum EventVerb: Equatable {
  case log(String, [String: PropertyValue])
  case set(String, PropertyValue?)
  case next

  /// The syntax of each verb.
  static let forms = ["log EVENT [KEY=VALUE …]", "set KEY=VALUE|KEY", "next message"]

  /// Parses a verb; `nil` if the phrase is none of these.
  ///
  /// An event's name can contain spaces: words without `=` belong to the name.
  init?(_ phrase: String) {
    if phrase == "next message" {
      self = .next
      return
    }
    let words = phrase.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    switch words[0] {
    case "log":
      let properties = words.dropFirst().compactMap { PropertyArgument(argument: $0) }
      let name = words.dropFirst().filter { PropertyArgument(argument: $0) == nil }
      guard !name.isEmpty else { return nil }
      self = .log(
        name.joined(separator: " "),
        Dictionary(properties.map { ($0.key, $0.value) }) { $1 })
    case "set":
      guard words.count == 2 else { return nil }
      let property = PropertyArgument(argument: words[1])
      self = .set(property?.key ?? words[1], property?.value)
    default: return nil
    }
  }
}
