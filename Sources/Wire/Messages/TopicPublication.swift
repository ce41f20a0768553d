package import UserNotifications

/// Something that a person says to all who subscribed to a topic: "Push to User".
package struct TopicPublication: Equatable, Sendable {
  package var topic: TopicID
  /// What is shown of it; `nil` is for the apps alone.
  package var alert: NotificationPayload.Alert?
  /// Fields of the sender's own, one level deep.
  package var data: [String: PayloadValue]
  package var options: PushOptions
  /// The administrator's, for the topics that only the administrator publishes to.
  package var key: String?

  /// A publication.
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
