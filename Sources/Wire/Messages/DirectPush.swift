package import UserNotifications
package import Vocabulary

/// A notification that the administrator sends to one person's devices.
package struct DirectPush: Equatable, Sendable {
  package var user: UserID
  /// All of it is the administrator's: `aps`, and fields of their own.
  package var payload: NotificationPayload
  package var options: PushOptions
  /// A later one with the same takes its place.
  package var collapseID: String?
  /// How long it stands; `nil` leaves it to the server.
  package var timeToLive: Duration?
  /// The administrator's secret.
  package var key: String

  /// A push.
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
