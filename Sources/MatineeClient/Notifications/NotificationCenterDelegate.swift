public import UserNotifications

/// Hears what people do about notifications: `UNUserNotificationCenterDelegate`.
///
/// Without one, responses wait, 64 of them, until there is one. It hears of remote and of local
/// notifications alike: ``NotificationResponse/isRemote`` tells them apart. Write one of the two
/// methods; an app's class on the main actor, an actor or a plain value may conform, and its methods
/// need not be `async`.
///
/// The calls come one after another, in the order in which things happen; the next one comes when
/// the method returns, or after 30 seconds. Apps that registered with
/// ``RegistrationMode/legacySettings`` have a ``LegacyNotificationActionHandler`` called instead.
public protocol NotificationCenterDelegate: Sendable {
  /// A person did something about a notification; done when it returns.
  ///
  /// What an invitation of the server's is answered with has been said to the server already.
  func didReceive(_ response: NotificationResponse) async

  /// The same, for apps that go on after they returned; done when they say so.
  func didReceive(_ response: NotificationResponse, completion: HandlerCompletion<Void>) async
}

extension NotificationCenterDelegate {
  /// Does nothing.
  public func didReceive(_ response: NotificationResponse) async {}

  /// Calls ``didReceive(_:)``, and is done with it.
  public func didReceive(
    _ response: NotificationResponse, completion: HandlerCompletion<Void>
  ) async {
    await didReceive(response)
    completion()
  }
}
