/// What the server is to hear of a notification it sent.
public enum NotificationReport: Hashable, Sendable {
  /// What became of it on this device. A notification without one is listed again.
  case acknowledged(DeliveryResult)
  /// What the person did about it.
  case responded(actionID: String, text: String?)
  /// It stands here no more, and nobody did anything about it.
  case removed
}
