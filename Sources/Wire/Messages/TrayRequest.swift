package import UserNotifications
package import Vocabulary

/// A client's request about its person's notifications.
///
/// It concerns the person of the connection's hello and, where a device is meant, the device of the
/// hello. Repeating a request changes nothing.
package enum TrayRequest: Equatable, Sendable {
  /// Registers this device for the person's notifications: over its connection, and through its
  /// push service while it is not connected.
  indirect case register(
    mode: RegistrationMode = .center, isDevelopment: Bool = false, PushEndpoint? = nil)
  case unregister
  indirect case subscribe(Subscription)
  indirect case unsubscribe(Subscription)
  indirect case publish(TopicPublication)
  /// Sends a notification to a person; only for the administrator.
  indirect case push(DirectPush)
  /// Sends all standing notifications of this device, before the answer.
  case list
  /// Reports what happened to a notification on this device, or the person's response.
  indirect case report(NotificationID, NotificationReport)
  /// Removes notifications from all of the person's devices.
  case remove([NotificationID])
  /// Erases the person's registrations, subscriptions and notifications.
  case wipe
  /// Asks for an object, after a difference was missed.
  indirect case objectState(ServerObject)
}

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
  /// The administrator's key; `nil` if the sender's credential gives it the right.
  package var key: String?

  package init(
    to user: UserID, _ payload: NotificationPayload, options: PushOptions = PushOptions(),
    collapseID: String? = nil, timeToLive: Duration? = nil, key: String? = nil
  ) {
    self.user = user
    self.payload = payload
    self.options = options
    self.collapseID = collapseID
    self.timeToLive = timeToLive
    self.key = key
  }
}

/// A publication to the subscribers of a topic: Kii's "Push to User".
package struct TopicPublication: Equatable, Sendable {
  package var topic: TopicID
  /// The visible text; `nil` for a silent notification.
  package var alert: NotificationPayload.Alert?
  /// Which category's actions it offers; `nil` for none.
  package var category: String?
  /// The sender's own fields, one level deep.
  package var data: [String: PayloadValue]
  package var options: PushOptions
  /// The administrator's key, for topics that only the administrator publishes to; `nil` if the
  /// sender's credential gives it the right.
  package var key: String?

  package init(
    to topic: TopicID, alert: NotificationPayload.Alert? = nil, category: String? = nil,
    data: [String: PayloadValue] = [:], options: PushOptions = PushOptions(), key: String? = nil
  ) {
    self.topic = topic
    self.alert = alert
    self.category = category
    self.data = data
    self.options = options
    self.key = key
  }
}
