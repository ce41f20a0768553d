public import UserNotifications

/// Hears of a category's actions, for apps that registered with
/// ``RegistrationMode/legacySettings``: the handlers of iOS 8 and 9, with and without a text.
///
/// A tap on the notification itself goes to the ``NotificationReceiver``, and of what the device
/// made itself it hears nothing. Write one of the two methods.
public protocol LegacyNotificationActionHandler: Sendable {
  /// A person took an action; done when it returns.
  ///
  /// - Parameters:
  ///   - identifier: the action's.
  ///   - notification: the notification.
  ///   - responseText: what was written, if the action asks for a text.
  func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?
  ) async

  /// The same, for apps that go on after they returned.
  func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?,
    completion: HandlerCompletion<Void>
  ) async
}

extension LegacyNotificationActionHandler {
  /// Does nothing.
  public func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?
  ) async {}

  /// Is done when the other method returns.
  public func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?,
    completion: HandlerCompletion<Void>
  ) async {
    await handleAction(identifier, of: notification, responseText: responseText)
    completion()
  }
}
