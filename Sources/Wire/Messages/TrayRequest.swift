package import UserNotifications

/// What a client asks for, or tells, about its person's notifications.
///
/// Everything is about the person who said hello; where a device is meant, it is the one that says
/// it. What is told twice changes nothing the second time.
package enum TrayRequest: Equatable, Sendable {
  /// The person's notifications go to this device from here on: over its connection, and, while it
  /// has none, to the push service that it names.
  indirect case register(
    mode: RegistrationMode = .center, isDevelopment: Bool = false, PushEndpoint? = nil)
  case unregister
  indirect case subscribe(Subscription)
  indirect case unsubscribe(Subscription)
  indirect case publish(TopicPublication)
  /// Only by the administrator.
  indirect case push(DirectPush)
  /// All that stands for this device, before the answer.
  case list
  /// What became of a notification here, or what the person did about it.
  indirect case report(NotificationID, NotificationReport)
  /// Takes notifications off all of the person's devices.
  case remove([NotificationID])
  /// Forgets everything: where notifications go, what the person wants to hear of, what stands.
  case wipe
  /// A part of a session as it is now, for one who missed a difference.
  indirect case objectState(SessionObject)
}
