public import UserNotifications

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
