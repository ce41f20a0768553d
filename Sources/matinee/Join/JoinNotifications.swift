import MatineeClient
import MatineeTerminal
import Scenarios
import Stages

/// Draws notifications on a terminal, and handles typed responses.
///
/// Text from a notification is never printed unescaped.
@MainActor
final class JoinNotifications: NotificationPresentationDelegate, NotificationReceiver {
  /// When the last notification came on screen.
  private(set) var shownAt: ContinuousClock.Instant?
  /// The notification state that conditions check.
  var news = ScriptedNotifications()
  private let center: UserNotificationCenter
  private let voice: JoinVoice
  /// The size of the terminal when a notification is drawn.
  private let size: @Sendable () -> TerminalSize
  /// The group that the person is in.
  private let group: @MainActor () -> GroupID?
  /// Whether the person is asked before they join what the group watches; otherwise the group's
  /// invitations are not shown.
  private let asks: Bool
  private var screen: NotificationScreen?
  /// The notifications in the last list that the person requested.
  private var listed: [UserNotification] = []
  /// The notifications that were outstanding here, until their removal is reported.
  private var known: [NotificationID: UserNotification] = [:]

  init(
    _ center: UserNotificationCenter, _ voice: JoinVoice,
    asks: Bool, size: @escaping @Sendable () -> TerminalSize,
    group: @escaping @MainActor () -> GroupID?
  ) {
    self.center = center
    self.voice = voice
    self.asks = asks
    self.size = size
    self.group = group
  }

  // MARK: Responses

  /// Handles a line if it is meant for the notification on screen.
  ///
  /// - Parameters:
  ///   - phrase: the line with white space normalized, as for verbs.
  ///   - line: the line as typed, for an action's text.
  func obey(_ phrase: String, _ line: String) -> Bool {
    guard var screen else { return false }
    let reaction = screen.obey(screen.isWriting && !phrase.isEmpty ? line : phrase)
    guard let reaction else { return false }
    self.screen = screen
    switch reaction {
    case .redraw: draw(screen)
    case .nothing: voice.say("that does nothing here")
    case .act(let act):
      // The response takes the notification off the screen.
      self.screen = nil
      carryOut(act, of: screen.notification)
    }
    return true
  }

  func obey(_ verb: NotificationVerb) {
    switch verb {
    case .ignore:
      if screen == nil { voice.say("there is no notification on screen") }
      screen = nil
    case .list: voice.attempt { try await self.list() }
    case .show(let number):
      guard listed.indices.contains(number - 1) else {
        return voice.say("there is no notification \(number); notifications lists them")
      }
      show(listed[number - 1], center.category(of: listed[number - 1]))
    }
  }

  /// Carries out an action of the newest outstanding invitation.
  func act(_ action: String, text: String? = nil) throws {
    let invitation = center.delivered.current.last { center.invitation($0) != nil }
    guard let invitation else { throw NotNow("noInvitation") }
    carryOut(.action(action, text: text), of: invitation)
  }

  /// Taps the newest outstanding notification.
  func tapNewest() throws { carryOut(.tap, of: try newest()) }

  /// Dismisses the newest outstanding notification.
  func dismissNewest() throws { carryOut(.dismissal, of: try newest()) }

  private func newest() throws -> UserNotification {
    guard let newest = center.delivered.current.last else {
      throw NotNow("noNotification")
    }
    return newest
  }

  private func carryOut(_ act: NotificationScreen.Act, of notification: UserNotification) {
    let id = notification.id
    news.answer(id)
    guard center.delivered.current.contains(where: { $0.id == id }) else {
      // The notification was put away earlier, so only the server receives the response.
      let response = act.response(notification)
      voice.say(response.text)
      return voice.attempt { [center] in
        try await center.respond(to: id, response.actionID, text: response.userText)
      }
    }
    switch act {
    case .tap: center.tap(id)
    case .action(let action, let text): center.act(id, action, text: text)
    case .dismissal: center.dismiss(id)
    }
  }

  /// Lists the person's outstanding notifications, including those put away here.
  private func list() async throws {
    let remote = try await center.list()
    listed = remote + center.delivered.current.filter { !$0.trigger.isRemote }
    if listed.isEmpty { voice.say("no notification stands") }
    for (place, notification) in listed.enumerated() {
      voice.say("\(place + 1). \(notification.content.spokenTitle)")
    }
  }

  // MARK: Calls from the library

  func willPresent(_ notification: UserNotification) async -> PresentationOptions {
    !asks && isInvitationHere(notification) ? [] : .all
  }

  func didReceive(_ response: NotificationResponse) async {
    let isOpened = response.actionID == ActionIdentifier.defaultAction
    let hint = isOpened && isInvitationHere(response.notification) ? "; `join` joins" : ""
    voice.say(response.text + hint)
  }

  /// Whether it invites to a session of the group that the person is in.
  private func isInvitationHere(_ notification: UserNotification) -> Bool {
    guard let group = group(), center.invitation(notification) != nil else { return false }
    return notification.content.threadID == group.text
  }

  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult {
    news.receive(notification)
    return .noData
  }

  /// Handles an event about notifications.
  func hear(_ event: NotificationEvent) {
    switch event {
    case .shown(let shown): hear(shown)
    case .removed(let ids): remove(ids)
    // A terminal has no lock: the person who types counts as having unlocked it.
    case .unlocks: center.isLocked = false
    case .warning(let warning, _) where warning.kind == .replyTooLong:
      voice.say("the text has \(warning.detail ?? "too many bytes")")
    case .warning(let warning, _) where warning.kind == .notStanding:
      voice.say("that notification is over")
    case .reportLost(_, .responded, let error?):
      voice.say("the server did not take your answer: \(error.text)")
    case .reportLost(_, .responded, nil): voice.say("the server did not hear of your answer")
    case .badge, .opens, .warning, .reportLost, .missed: break
    }
  }

  /// Records the outstanding notifications.
  func stand(_ notifications: [UserNotification]) {
    for notification in notifications { known[notification.id] = notification }
    news.stand(notifications)
  }

  private func hear(_ shown: ShownNotification) {
    known[shown.notification.id] = shown.notification
    guard shown.options.contains(.banner) else {
      return voice.say("a notification: \(shown.notification.content.spokenTitle)")
    }
    shownAt = .now
    show(shown.notification, shown.category)
  }

  /// Records removals.
  ///
  /// The list of outstanding notifications may be updated before the removal event arrives, so the
  /// removed ones are first put back, or after it, so they are then left out.
  private func remove(_ ids: [NotificationID]) {
    news.stand(ids.compactMap { known.removeValue(forKey: $0) })
    news.remove(ids)
    news.stand(center.delivered.current.filter { !ids.contains($0.id) })
    guard let gone = screen?.notification, ids.contains(gone.id) else { return }
    screen = nil
    voice.say("“\(gone.content.spokenTitle)” is over")
  }

  private func show(_ notification: UserNotification, _ category: NotificationCategory?) {
    let screen = NotificationScreen(notification, category, size: size())
    self.screen = screen
    draw(screen)
  }

  private func draw(_ screen: NotificationScreen) {
    for line in screen.lines { voice.say(line) }
  }
}

extension NotificationResponse {
  /// The response in English.
  fileprivate var text: String {
    let title = notification.content.spokenTitle
    switch (invitationAnswer, actionID) {
    case (.accept?, _): return "you accepted “\(title)”"
    case (.decline?, _): return "you declined “\(title)”"
    case (.reply?, _): return "you wrote back to “\(title)”"
    case (nil, ActionIdentifier.dismissAction): return "you dismissed “\(title)”"
    case (nil, ActionIdentifier.defaultAction): return "you opened “\(title)”"
    case (nil, let action): return "you answered “\(title)” with \(action.withoutControls)"
    }
  }
}
