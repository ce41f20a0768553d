package import UserNotifications

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
  /// Asks for a part of a session, after a difference was missed.
  indirect case objectState(SessionObject)
}
