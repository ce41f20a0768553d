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

/// A delegate that has a say while the app is in front: without one, notifications are not shown
/// then, and a ``NotificationReceiver`` hears of them.
public protocol NotificationPresentationDelegate: NotificationCenterDelegate {
  /// Says how a notification is to be shown; no option is not at all.
  func willPresent(_ notification: UserNotification) async -> PresentationOptions

  /// The same, for apps that answer after they returned; five seconds without an answer are a no.
  func willPresent(
    _ notification: UserNotification, completion: HandlerCompletion<PresentationOptions>
  ) async
}

extension NotificationPresentationDelegate {
  /// Shows nothing.
  public func willPresent(_ notification: UserNotification) async -> PresentationOptions { [] }

  /// Answers as ``willPresent(_:)-1``.
  public func willPresent(
    _ notification: UserNotification, completion: HandlerCompletion<PresentationOptions>
  ) async {
    completion(await willPresent(notification))
  }
}

/// Hears of notifications that arrive, shown or not: what older systems call the reception handler.
///
/// It is all that an app needs that only wants to be told of changes. Of silent notifications only
/// this hears; of others where the app is not asked how to show them, or they say that there is
/// something to fetch. To those that registered with ``RegistrationMode/legacySettings`` it is also
/// told that a notification was tapped.
///
/// Write one of the two methods. The calls come one after another, as with a
/// ``NotificationCenterDelegate``.
public protocol NotificationReceiver: Sendable {
  /// A notification of the server's arrived, or, with the older calls, was tapped.
  ///
  /// - Parameters:
  ///   - notification: the notification.
  ///   - alreadyDelivered: whether this was called with it before.
  /// - Returns: what came of it, for the server to know.
  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult

  /// The same, for apps that go on after they returned; 30 seconds without a word are `timedOut`.
  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool,
    completion: HandlerCompletion<FetchResult>
  ) async
}

extension NotificationReceiver {
  /// Fetches nothing.
  public func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult { .noData }

  /// Tells what the other method returned.
  public func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool,
    completion: HandlerCompletion<FetchResult>
  ) async {
    completion(await didReceive(notification, alreadyDelivered: alreadyDelivered))
  }
}

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
