/// What a response's action is called, to the letter of UserNotifications and of Kii's samples.
public enum ActionIdentifier {
  /// The notification itself was tapped.
  public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
  /// The notification was dismissed on purpose; heard only of categories that ask for it.
  public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
  /// An invitation is accepted.
  public static let accept = "ACCEPT_IDENTIFIER"
  /// An invitation is declined.
  public static let decline = "DECLINE_IDENTIFIER"
  /// An invitation is answered with a text, and stays open.
  public static let reply = "REPLY_IDENTIFIER"
}
