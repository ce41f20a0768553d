public import UserNotifications

/// Receives people's responses to notifications; modelled on `UNUserNotificationCenterDelegate`.
///
/// While no delegate is set, up to 64 responses are kept. The delegate receives responses to remote
/// and to local notifications; ``NotificationResponse/isRemote`` tells them apart. Implement one of
/// the two methods. A main-actor class, an actor or a plain value can conform, and the methods need
/// not be `async`.
///
/// Calls are made one at a time, in the order of the events. The next call is made when the method
/// returns or completes, or after 30 seconds. In apps that registered with
/// ``RegistrationMode/legacySettings`` the ``LegacyNotificationActionHandler`` is called instead.
public protocol NotificationCenterDelegate: Sendable {
  /// Handles a person's response to a notification; handling is complete when the method returns.
  ///
  /// For an invitation from the server, the client has already sent the answer to the server.
  func didReceive(_ response: NotificationResponse) async

  /// The same for apps that finish after the method returns; they call `completion` when done.
  func didReceive(_ response: NotificationResponse, completion: HandlerCompletion<Void>) async
}

extension NotificationCenterDelegate {
  /// Does nothing.
  public func didReceive(_ response: NotificationResponse) async {}

  /// Calls ``didReceive(_:)``, then completes.
  public func didReceive(
    _ response: NotificationResponse, completion: HandlerCompletion<Void>
  ) async {
    await didReceive(response)
    completion()
  }
}

/// A delegate that decides how notifications are shown while the app is in the foreground.
///
/// Without one, foreground notifications are not shown, and the ``NotificationReceiver`` is called.
public protocol NotificationPresentationDelegate: NotificationCenterDelegate {
  /// Decides how a notification is shown; an empty set shows nothing.
  func willPresent(_ notification: UserNotification) async -> PresentationOptions

  /// The same for apps that answer after the method returns; no answer in 5 seconds shows nothing.
  func willPresent(
    _ notification: UserNotification, completion: HandlerCompletion<PresentationOptions>
  ) async
}

extension NotificationPresentationDelegate {
  /// Shows nothing.
  public func willPresent(_ notification: UserNotification) async -> PresentationOptions { [] }

  /// Completes with the result of ``willPresent(_:)-1``.
  public func willPresent(
    _ notification: UserNotification, completion: HandlerCompletion<PresentationOptions>
  ) async {
    completion(await willPresent(notification))
  }
}

/// Receives notifications as they arrive, shown or not; older systems call it reception handler.
///
/// An app that only wants to learn of changes needs nothing else. Silent notifications are
/// delivered only here. Other notifications are delivered here too if the app is not asked how to
/// show them, or if they say that there is something to fetch. In apps that registered with
/// ``RegistrationMode/legacySettings`` it is also called when a notification is tapped.
///
/// Implement one of the two methods. Calls are made one at a time, as with a
/// ``NotificationCenterDelegate``.
public protocol NotificationReceiver: Sendable {
  /// Handles a notification that arrived from the server or, with legacy registration, was tapped.
  ///
  /// - Parameters:
  ///   - notification: the notification.
  ///   - alreadyDelivered: whether this method was called for the notification before.
  /// - Returns: the fetch result, which is reported to the server.
  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult

  /// The same for apps that finish after the method returns; no result in 30 seconds is `timedOut`.
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

  /// Completes with the result of the other method.
  public func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool,
    completion: HandlerCompletion<FetchResult>
  ) async {
    completion(await didReceive(notification, alreadyDelivered: alreadyDelivered))
  }
}

/// Handles a category's actions in apps that use ``RegistrationMode/legacySettings``.
///
/// It models the handlers of iOS 8 and 9, with and without a text.
///
/// A tap on the notification itself goes to the ``NotificationReceiver``. Notifications that the
/// device scheduled itself are not delivered here. Implement one of the two methods.
public protocol LegacyNotificationActionHandler: Sendable {
  /// Handles an action that a person chose; handling is complete when the method returns.
  ///
  /// - Parameters:
  ///   - identifier: the action's identifier.
  ///   - notification: the notification.
  ///   - responseText: the text the person entered, if the action asks for one.
  func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?
  ) async

  /// The same for apps that finish after the method returns; they call `completion` when done.
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

  /// Calls the other method, then completes.
  public func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?,
    completion: HandlerCompletion<Void>
  ) async {
    await handleAction(identifier, of: notification, responseText: responseText)
    completion()
  }
}
