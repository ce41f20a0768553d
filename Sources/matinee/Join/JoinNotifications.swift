import Participation
import UserNotifications
import Vocabulary
import Wire

/// The notifications of a person at a terminal: draws them, and does what is typed about them.
///
/// Confined to its loop's thread. What a notification says is never written as it came.
final class JoinNotifications {
  /// What notifications want of the console.
  enum Wish: Equatable {
    case say(StyledLine)
    case bring(NotificationCenterState.Input)
    case ask(TrayRequest)
  }

  /// The handlers of somebody who sits there: one who sees what comes, and says what to do about it.
  static let handlers: NotificationCenterState.Handlers = [.willPresent, .userAction]

  private let size: TerminalSize
  /// Whether invitations are shown: who joins what others start is not asked.
  private let asks: Bool
  private var screen: NotificationScreen?
  /// What stood when the person last looked.
  private var listed: [UserNotification] = []

  init(asks: Bool, size: TerminalSize = .smallest) {
    self.asks = asks
    self.size = size
  }

  /// Whether a line is for the notification on screen, and what comes of it.
  ///
  /// - Parameters:
  ///   - phrase: the line as verbs are written.
  ///   - line: the line as it was typed, for a text.
  ///   - client: as it is.
  func obey(_ phrase: String, _ line: String, _ client: Client) -> [Wish]? {
    guard var screen else { return nil }
    guard let reaction = screen.obey(screen.isWriting && !phrase.isEmpty ? line : phrase) else {
      return nil
    }
    self.screen = screen
    switch reaction {
    case .redraw: return drawn(screen)
    case .nothing: return [.say("that does nothing here")]
    case .act(let act):
      // What goes now goes by the person's own hand.
      self.screen = nil
      let id = screen.notification.id
      let stands = client.center.standingNotifications.contains { $0.id == id }
      if stands { return [.bring(act.input(id))] }
      // One that was put away is looked at again: only the server hears of it.
      let response = act.response(screen.notification)
      return [
        .say(StyledLine(response.text)),
        .ask(.report(id, .responded(actionID: response.actionID, text: response.userText))),
      ]
    }
  }

  func obey(_ verb: NotificationVerb, _ client: Client) -> [Wish] {
    switch verb {
    case .ignore:
      let hadOne = screen != nil
      screen = nil
      return hadOne ? [] : [.say("there is no notification on screen")]
    case .list: return [.ask(.list)]
    case .show(let number):
      guard listed.indices.contains(number - 1) else {
        return [.say("there is no notification \(number); notifications lists them")]
      }
      let notification = listed[number - 1]
      return show(notification, client.center.category(of: notification))
    }
  }

  /// What stands for the person, also what was put away here.
  func take(_ list: [ListedNotification], _ client: Client) -> [Wish] {
    let own = client.center.standingNotifications.filter { !$0.trigger.isRemote }
    listed = list.map { client.center.notification($0.notification) } + own
    guard !listed.isEmpty else { return [.say("no notification stands")] }
    return listed.enumerated().map { .say("\($0 + 1). \($1.content.spokenTitle)") }
  }

  func hear(_ output: NotificationCenterState.Output) -> [Wish] {
    switch output {
    case .show(let shown):
      guard shown.options.contains(.banner) else {
        return [.say("a notification: \(shown.notification.content.spokenTitle)")]
      }
      return show(shown.notification, shown.category)
    case .remove(let ids):
      guard let gone = screen?.notification, ids.contains(gone.id) else { return [] }
      screen = nil
      return [.say("“\(gone.content.spokenTitle)” is over")]
    case .call(.willPresent(let notification), let token):
      let isSpared = !asks && notification.isInvitation
      return [.bring(.presented(isSpared ? [] : .all, token))]
    case .call(.userAction(let response), let token):
      return [.say(StyledLine(response.text)), .bring(.completed(token))]
    case .call(let call, let token):
      if case .reception = call { return [.bring(.completed(token, .noData))] }
      return [.bring(.completed(token))]
    // Whoever sits at the terminal has shown who they are.
    case .unlock: return [.bring(.locked(false))]
    case .warn(.replyTooLong(let bytes, let limit), _):
      return [.say("the text has \(bytes) bytes, and \(limit) may be sent")]
    case .warn(.notStanding, _): return [.say("that notification is over")]
    case .badge, .open, .launch, .report, .refuse, .warn: return []
    }
  }

  private func show(
    _ notification: UserNotification, _ category: NotificationCategory?
  ) -> [Wish] {
    let screen = NotificationScreen(notification, category, size: size)
    self.screen = screen
    return drawn(screen)
  }

  private func drawn(_ screen: NotificationScreen) -> [Wish] {
    screen.lines.map { .say($0) }
  }
}

@available(*, unavailable)
extension JoinNotifications: Sendable {}

extension UserNotification {
  /// Whether it asks the person to watch along.
  fileprivate var isInvitation: Bool {
    trigger.isRemote && content.categoryID == NotificationCategory.groupWatchInviteID
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
