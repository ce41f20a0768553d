public import UserNotifications

/// An event about notifications on this device, for the code that draws them.
public enum NotificationEvent: Hashable, Sendable {
  /// A notification is to be shown; those it replaces are removed.
  case shown(ShownNotification)
  /// These notifications are no longer outstanding.
  case removed([NotificationID])
  /// The app icon's badge number; 0 for none.
  case badge(Int)
  /// The app is to come to the foreground for this notification.
  case opens(NotificationID)
  /// An action of this notification requires an unlocked device.
  ///
  /// Afterwards set ``UserNotificationCenter/isLocked`` to `false`, or call
  /// ``UserNotificationCenter/refuseUnlock(_:)``.
  case unlocks(NotificationID)
  /// A problem that stopped nothing.
  case warning(NotificationWarning, NotificationID)
  /// The server did not take a report about a notification or about the person's response.
  ///
  /// It refused the report (the error says why), or the backlog was too long for too long (`nil`).
  case reportLost(NotificationID, NotificationReport, GroupWatchError?)
  /// This many events were dropped because this reader was too slow;
  /// ``UserNotificationCenter/delivered`` has the current state.
  case missed(Int)
}

extension NotificationEvent {
  /// The event for an output of the centre; `nil` for outputs between centre and app.
  init?(_ output: NotificationCenterState.Output) {
    switch output {
    case .show(let shown): self = .shown(shown)
    case .remove(let ids): self = .removed(ids)
    case .badge(let badge): self = .badge(badge)
    case .open(let id): self = .opens(id)
    case .unlock(let id): self = .unlocks(id)
    case .warn(let warning, let id): self = .warning(NotificationWarning(warning), id)
    case .launch, .call, .report, .refuse: return nil
    }
  }
}

/// A problem with a notification that stopped nothing; for the app's developers.
public struct NotificationWarning: Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no handler for a response yet; the response is kept until there is one.
    case noHandler
    /// Too many responses are kept; this one is dropped.
    case responseDropped
    /// Its category has no such action; the app is told, and nothing is opened.
    case unknownAction
    /// No action was named; nothing happens.
    case noAction
    /// The notification is not outstanding; nothing happens.
    case notStanding
    /// Too many notifications are outstanding; this one is evicted.
    case crowdedOut
    /// The reply is too long to send; the notification stays outstanding.
    case replyTooLong
    /// The action waited too long for the device to be unlocked, or too many others waited.
    case unlockForgotten
    /// A handler did not complete in time.
    case handlerSilent
    /// Too many handler calls are under way; the oldest is treated as timed out.
    case tooManyCalls
  }

  /// The kind of problem.
  public let kind: Kind
  /// Details: the handler, the action or the sizes.
  public let detail: String?

  /// The kind and the detail on one line.
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
      case .handlerSilent(let handler, _): (.handlerSilent, handler.rawValue)
      case .tooManyCalls: (.tooManyCalls, nil)
      }
  }
}
