package import UserNotifications
package import Vocabulary

/// A notification that the administrator sends to one person's devices.
package struct DirectPush: Equatable, Sendable {
  package var user: UserID
  /// The whole payload: `aps`, and fields of the administrator's own.
  package var payload: NotificationPayload
  package var options: PushOptions
  /// A later notification with the same identifier replaces this one.
  package var collapseID: String?
  /// How long the notification is valid; `nil` for the server's default.
  package var timeToLive: Duration?
  /// The administrator's key.
  package var key: String

  package init(
    to user: UserID, _ payload: NotificationPayload, options: PushOptions = PushOptions(),
    collapseID: String? = nil, timeToLive: Duration? = nil, key: String
  ) {
    self.user = user
    self.payload = payload
    self.options = options
    self.collapseID = collapseID
    self.timeToLive = timeToLive
    self.key = key
  }
}
