package import UserNotifications

/// A publication to the subscribers of a topic: Kii's "Push to User".
package struct TopicPublication: Equatable, Sendable {
  package var topic: TopicID
  /// The visible text; `nil` for a silent notification.
  package var alert: NotificationPayload.Alert?
  /// The sender's own fields, one level deep.
  package var data: [String: PayloadValue]
  package var options: PushOptions
  /// The administrator's key, for topics that only the administrator publishes to.
  package var key: String?

  package init(
    to topic: TopicID, alert: NotificationPayload.Alert? = nil, data: [String: PayloadValue] = [:],
    options: PushOptions = PushOptions(), key: String? = nil
  ) {
    self.topic = topic
    self.alert = alert
    self.data = data
    self.options = options
    self.key = key
  }
}
