public import Vocabulary

/// A notification as the server sends it to a device.
public struct RemoteNotification: Hashable, Sendable, Identifiable {
  /// Its name, never used again.
  public var id: NotificationID
  /// When it was sent.
  public var date: Instant
  /// What it carries.
  public var payload: NotificationPayload
  /// A later one with the same takes its place where it stands; at most 64 bytes.
  public var collapseID: String?
  /// When it is good for nothing any more; it goes by itself then.
  public var expires: Instant?

  /// A notification.
  public init(
    id: NotificationID, date: Instant, payload: NotificationPayload, collapseID: String? = nil,
    expires: Instant? = nil
  ) {
    self.id = id
    self.date = date
    self.payload = payload
    self.collapseID = collapseID
    self.expires = expires
  }
}
