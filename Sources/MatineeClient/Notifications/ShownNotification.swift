public import UserNotifications

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
