public import UserNotifications

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
