import GroupSessions
import InAppMessaging
import Participation
import Vocabulary

/// The in-app messages of a person at a terminal: draws them, and does what keys and clicks mean.
///
/// Confined to its loop's thread. What a campaign says is never written as it came: it could move
/// the cursor or colour the screen.
final class JoinMessages {
  /// What messages want of the console.
  enum Wish {
    case say(StyledLine)
    case take(Client.Input)
    /// A video that is watched alone is to be opened, or put away with `nil`.
    case playAlone(MediaItem?)
    /// What is watched alone is to be shared with the group.
    case share(String)
  }

  private let size: TerminalSize
  private var screen: MessageScreen?
  private var token: PresentationToken?
  private var canShare = false
  /// The video that a message opened without a session.
  private var aloneURL: String?

  init(size: TerminalSize = .smallest) { self.size = size }

  /// Whether a line is for the message on screen, and what comes of it.
  func obey(_ line: String) -> [Wish]? {
    guard var screen, let token, let key = MessageKey(line: line) else { return nil }
    // While a film runs, return alone asks where it stands.
    if screen.isPlayer, key == .enter { return nil }
    let reaction = screen.press(key)
    self.screen = screen
    switch reaction {
    case .tell(let event): return [.take(.presenter(.view(event, token)))]
    case .redraw: return drawn(screen)
    case nil: return [.say("that does nothing here")]
    }
  }

  func hear(_ output: MessagePresenter.Output, _ client: Client) -> [Wish] {
    switch output {
    case .ask(let question, let token): [.take(.presenter(question.agreement(token)))]
    case .view(let command, let token): carryOut(command, token, client)
    case .perform(let action, let message): perform(action, message, client)
    case .warn(let warning, _): [.say("a message is not in order: \(warning)")]
    case .tell, .report, .statusBar, .hold, .session, .answer, .lease: []
    }
  }

  /// Draws the message anew where a button comes or goes with what the group does.
  func note(_ client: Client) -> [Wish] {
    let canShare = client.eligibility == .eligible && client.session == nil
    guard canShare != self.canShare else { return [] }
    self.canShare = canShare
    guard let screen, screen.hasShareButton else { return [] }
    let next = screen.sharing(canShare)
    self.screen = next
    return drawn(next)
  }

  private func carryOut(
    _ command: MessagePresenter.ViewCommand, _ token: PresentationToken, _ client: Client
  ) -> [Wish] {
    switch command {
    case .show(let shown):
      let screen = MessageScreen(shown, canShare: canShare, size: size)
      (self.screen, self.token) = (screen, token)
      return play(shown, client) + drawn(screen) + [.take(.presenter(.view(.presented, token)))]
    case .update(let shown):
      guard let next = screen?.showing(shown, canShare: canShare) else { return [] }
      screen = next
      return play(shown, client) + drawn(next)
    case .pause: return []  // The session is over, and its player has stopped with it.
    case .dismiss:
      (screen, self.token) = (nil, nil)
      let wasAlone = aloneURL != nil
      aloneURL = nil
      return (wasAlone ? [.playAlone(nil)] : []) + [.take(.presenter(.view(.dismissed, token)))]
    case .releaseAssets: return []
    }
  }

  /// In a session the player opens what the group watches; alone, what the message says.
  private func play(_ shown: MessagePresenter.ShownMessage, _ client: Client) -> [Wish] {
    let message = shown.context.message
    guard shown.view == ShippedView.video.rawValue, message.session == nil, client.session == nil,
      let video = VideoView(message), aloneURL != video.url
    else { return [] }
    aloneURL = video.url
    return [.playAlone(MediaItem(item: ItemID(video.url), title: video.title, url: video.url))]
  }

  private func perform(
    _ action: InAppMessage.ClickAction, _ message: InAppMessage, _ client: Client
  ) -> [Wish] {
    switch action {
    case .open(let url, _): return [.say("open \(url)")]
    case .deepLink(let link): return [.say("go to \(link)")]
    case .requestPushPermission:
      var platform = client.presenter.platform
      platform.hasPushPermission = true
      return [
        .say("you will be told when your group begins to watch"),
        .take(.presenter(.platform(platform))),
        .take(.setAttribute("push_enabled", .bool(true))),
      ]
    case .session(.startForAll):
      guard let video = VideoView(message) else { return [] }
      aloneURL = nil
      return [.share(video.url)]
    case .close, .logEvent, .setAttribute, .session, .sequence: return []
    }
  }

  private func drawn(_ screen: MessageScreen) -> [Wish] {
    screen.lines.map { .say($0) }
  }
}

@available(*, unavailable)
extension JoinMessages: Sendable {}
