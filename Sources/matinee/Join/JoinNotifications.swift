import MatineeClient
import Scenarios

/// The notifications of a person at a terminal: draws them, and does what is typed about them.
///
/// What a notification says is never written as it came.
@MainActor
final class JoinNotifications: NotificationPresentationDelegate, NotificationReceiver {
  /// When a notification came on screen last.
  private(set) var shownAt: ContinuousClock.Instant?
  /// What conditions are judged by.
  var news = ScriptedNotifications()
  private let center: UserNotificationCenter
  private let voice: JoinVoice
  private let size: TerminalSize
  /// Whether invitations are shown: a person who joins what others start is not asked.
  private let asks: Bool
  private var screen: NotificationScreen?
  /// What stood when the person last looked.
  private var listed: [UserNotification] = []
  /// Those that stood here, until the person is told that they are gone.
  private var known: [NotificationID: UserNotification] = [:]

  init(
    _ center: UserNotificationCenter, _ voice: JoinVoice, asks: Bool,
    size: TerminalSize = .smallest
  ) {
    self.center = center
    self.voice = voice
    self.asks = asks
    self.size = size
  }

  // MARK: What the person does

  /// Takes a line if it is for the notification on screen.
  ///
  /// - Parameters:
  ///   - phrase: the line as verbs are written.
  ///   - line: the line as it was typed, for a text.
  func obey(_ phrase: String, _ line: String) -> Bool {
    guard var screen else { return false }
    let reaction = screen.obey(screen.isWriting && !phrase.isEmpty ? line : phrase)
    guard let reaction else { return false }
    self.screen = screen
    switch reaction {
    case .redraw: draw(screen)
    case .nothing: voice.say("that does nothing here")
    case .act(let act):
      // The person takes it off the screen themselves.
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

  /// Takes an action of the newest invitation that stands.
  func act(_ action: String, text: String? = nil) throws {
    let invitation = center.delivered.current.last { center.invitation($0) != nil }
    guard let invitation else { throw JoinVoice.NotNow("noInvitation") }
    carryOut(.action(action, text: text), of: invitation)
  }

  /// Taps the newest notification that stands.
  func tapNewest() throws { carryOut(.tap, of: try newest()) }

  /// Dismisses the newest notification that stands.
  func dismissNewest() throws { carryOut(.dismissal, of: try newest()) }

  private func newest() throws -> UserNotification {
    guard let newest = center.delivered.current.last else {
      throw JoinVoice.NotNow("noNotification")
    }
    return newest
  }

  private func carryOut(_ act: NotificationScreen.Act, of notification: UserNotification) {
    let id = notification.id
    news.answer(id)
    guard center.delivered.current.contains(where: { $0.id == id }) else {
      // One that was put away is looked at again: only the server hears of it.
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

  /// What stands for the person, also what was put away here.
  private func list() async throws {
    let remote = try await center.list()
    listed = remote + center.delivered.current.filter { !$0.trigger.isRemote }
    if listed.isEmpty { voice.say("no notification stands") }
    for (place, notification) in listed.enumerated() {
      voice.say("\(place + 1). \(notification.content.spokenTitle)")
    }
  }

  // MARK: What the library wants

  func willPresent(_ notification: UserNotification) async -> PresentationOptions {
    !asks && center.invitation(notification) != nil ? [] : .all
  }

  func didReceive(_ response: NotificationResponse) async { voice.say(response.text) }

  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult {
    news.receive(notification)
    return .noData
  }

  /// Takes in what happens to notifications.
  func hear(_ event: NotificationEvent) {
    switch event {
    case .shown(let shown): hear(shown)
    case .removed(let ids): remove(ids)
    // A person who sits at the terminal has shown who they are.
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

  /// Takes in which notifications stand.
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

  /// What stands is known sooner than what is gone, so those that go are put back before they go.
  private func remove(_ ids: [NotificationID]) {
    news.stand(ids.compactMap { known.removeValue(forKey: $0) })
    news.remove(ids)
    news.stand(center.delivered.current)
    guard let gone = screen?.notification, ids.contains(gone.id) else { return }
    screen = nil
    voice.say("“\(gone.content.spokenTitle)” is over")
  }

  private func show(_ notification: UserNotification, _ category: NotificationCategory?) {
    let screen = NotificationScreen(notification, category, size: size)
    self.screen = screen
    draw(screen)
  }

  private func draw(_ screen: NotificationScreen) {
    for line in screen.lines { voice.say(line) }
  }
}

extension NotificationResponse {
  /// What the person did, in English.
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
