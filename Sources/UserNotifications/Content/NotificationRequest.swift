/// A device's own wish for a notification.
public struct NotificationRequest: Hashable, Sendable, Identifiable {
  /// Its name; another request of that name takes its place.
  public var id: NotificationID
  /// What is to be said.
  public var content: NotificationContent
  /// When; never ``NotificationTrigger/push``.
  public var trigger: NotificationTrigger

  /// A request.
  public init(
    id: NotificationID, content: NotificationContent, trigger: NotificationTrigger = .none
  ) {
    self.id = id
    self.content = content
    self.trigger = trigger
  }

  /// What is wrong with a request.
  public enum Fault: String, Error, Hashable, Sendable, CaseIterable {
    /// Only the server can send a push.
    case push
    /// The time is not ahead; or it is to be repeated more often than once a minute.
    case interval
    /// No date from now on matches.
    case date
    /// Too many wait already; take some back, or repeat one.
    case tooMany
  }
}
