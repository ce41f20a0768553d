/// The handlers that an app may have for notifications, of both generations.
package enum NotificationHandler: String, Hashable, Sendable, CaseIterable {
  /// A notification arrived; with the older calls also one that was tapped.
  case reception
  /// A notification arrived while the app is in front: whether and how to show it.
  case willPresent
  /// The person responded to a notification; the delegate of the centre.
  case userAction
  /// The app was started because of a notification.
  case launch
  /// The person took one of a category's actions; the older calls.
  case legacyAction
}
