/// What brings a notification.
public enum NotificationTrigger: Hashable, Sendable {
  /// The server; all others are the device's own doing.
  case push
  /// So much time after it was asked for; repeated, each time so much later.
  case timeInterval(Duration, repeats: Bool)
  /// The next date that matches; repeated, each that does.
  case calendar(DateMatch, repeats: Bool)
  /// Nothing: it comes as soon as it is asked for.
  case none

  /// Whether the server sent it.
  public var isRemote: Bool { self == .push }
}
