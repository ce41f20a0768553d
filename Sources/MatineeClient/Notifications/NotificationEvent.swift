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
