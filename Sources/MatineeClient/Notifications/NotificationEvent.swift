public import UserNotifications

/// What happens to notifications on this device, for whoever draws them.
public enum NotificationEvent: Hashable, Sendable {
  /// One is to be shown; those whose place it takes go.
  case shown(ShownNotification)
  /// These stand no longer.
  case removed([NotificationID])
  /// The number on the app's icon; 0 is none.
  case badge(Int)
  /// The app is to come to the front, for this one.
  case opens(NotificationID)
  /// The person is to show who they are, for an action of this one: then
  /// ``UserNotificationCenter/isLocked`` is set to `false`, or
  /// ``UserNotificationCenter/refuseUnlock(_:)`` is called.
  case unlocks(NotificationID)
  /// Something went wrong without stopping anything.
  case warning(NotificationWarning, NotificationID)
  /// The server refused what became of a notification, or what the person did about it, or never
  /// heard of it: too much waited, for too long.
  case reportLost(NotificationID, NotificationReport, GroupWatchError?)
  /// So many of these went missing here, since this reader was too slow;
  /// ``UserNotificationCenter/delivered`` has what stands.
  case missed(Int)
}

extension NotificationEvent {
  /// What an output means for those who draw; `nil` for what is between centre and app.
  init?(_ output: NotificationCenterState.Output) {
    switch output {
    case .show(let shown): self = .shown(ShownNotification(shown))
    case .remove(let ids): self = .removed(ids)
    case .badge(let badge): self = .badge(badge)
    case .open(let id): self = .opens(id)
    case .unlock(let id): self = .unlocks(id)
    case .warn(let warning, let id): self = .warning(NotificationWarning(warning), id)
    case .launch, .call, .report, .refuse: return nil
    }
  }
}

/// A notification as whoever draws it shows it.
public struct ShownNotification: Hashable, Sendable {
  /// What it says.
  public let notification: UserNotification
  /// What can be done about it, and whether the app hears of a dismissal; `nil` if it has none that
  /// is registered.
  public let category: NotificationCategory?
  /// Where and how; without banner and list it is only heard.
  public let options: PresentationOptions
  /// Those whose place it takes, itself among them if it stood.
  public let replaced: [NotificationID]

  init(_ shown: NotificationCenterState.ShownNotification) {
    notification = shown.notification
    category = shown.category
    options = shown.options
    replaced = shown.replaced
  }
}

/// What went wrong with a notification without stopping anything; for whoever develops the app.
public struct NotificationWarning: Hashable, Sendable, CustomStringConvertible {
  /// What it is about.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no handler for a response yet; it is kept until there is.
    case noHandler
    /// Too many responses were kept; this one is dropped.
    case responseDropped
    /// Its category has no such action; the app hears of it, and nothing is opened.
    case unknownAction
    /// No action was named; nothing is done.
    case noAction
    /// It does not stand, or no longer; nothing is done.
    case notStanding
    /// Too many stood; this one makes way.
    case crowdedOut
    /// What was written is too long to be sent; the notification still stands.
    case replyTooLong
    /// Too many actions waited for the person to show who they are, or for too long.
    case unlockForgotten
    /// A handler did not say in time that it was done.
    case handlerSilent
    /// Too many handlers were at work; the oldest is taken as silent.
    case tooManyCalls
  }

  /// What it is about.
  public let kind: Kind
  /// Which handler, which action, how long.
  public let detail: String?

  /// Both, in a line.
  public var description: String { detail.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }

  init(_ warning: NotificationCenterState.Warning) {
    (kind, detail) =
      switch warning {
      case .noHandler(let handler): (.noHandler, handler.rawValue)
      case .responseDropped: (.responseDropped, nil)
      case .unknownAction(let id): (.unknownAction, id)
      case .noAction: (.noAction, nil)
      case .notStanding: (.notStanding, nil)
      case .crowdedOut: (.crowdedOut, nil)
      case .replyTooLong(let bytes, let limit):
        (.replyTooLong, "\(bytes) bytes, and \(limit) may be sent")
      case .unlockForgotten: (.unlockForgotten, nil)
      case .handlerSilent(let handler): (.handlerSilent, handler.rawValue)
      case .tooManyCalls: (.tooManyCalls, nil)
      }
  }
}
