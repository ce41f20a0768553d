import Vocabulary

/// A notification that stands on a device until something is done about it.
struct StandingNotification: Equatable, Sendable {
  let notification: UserNotification
  /// One with the same takes its place.
  let collapseID: String?
  /// When it goes by itself.
  let expires: Instant?

  var id: NotificationID { notification.id }

  init(_ remote: RemoteNotification, in texts: [String: String]) {
    notification = UserNotification(
      id: remote.id, date: remote.date, content: NotificationContent(remote.payload, in: texts),
      trigger: .push)
    collapseID = remote.collapseID
    expires = remote.expires
  }

  init(_ request: NotificationRequest, at date: Instant) {
    notification = UserNotification(
      id: request.id, date: date, content: request.content, trigger: request.trigger)
    collapseID = nil
    expires = nil
  }

  /// Whether this one takes the place of another.
  func replaces(_ other: StandingNotification) -> Bool {
    id == other.id || collapseID != nil && collapseID == other.collapseID
  }
}
