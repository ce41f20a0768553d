public import Vocabulary

/// A notification on one device: what it says, when it came, and what brought it.
public struct UserNotification: Hashable, Sendable, Identifiable {
  /// Its name.
  ///
  /// A remote one's is the server's and never used again; a local one's is its request's, and a
  /// later one of that name takes its place.
  public let id: NotificationID
  /// When the server sent it, or this device made it.
  public let date: Instant
  /// What it says.
  public let content: NotificationContent
  /// What brought it.
  public let trigger: NotificationTrigger

  /// A notification.
  public init(
    id: NotificationID, date: Instant, content: NotificationContent, trigger: NotificationTrigger
  ) {
    self.id = id
    self.date = date
    self.content = content
    self.trigger = trigger
  }
}

/// One notification.
public typealias NotificationID = Identifier<UserNotification>
