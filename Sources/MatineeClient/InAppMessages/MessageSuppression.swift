import InAppMessaging

/// What becomes of messages while the app wants none.
public enum MessageSuppression: Hashable, Sendable, CaseIterable {
  /// The app wants messages.
  case none
  /// They are refused, and may come again at their next event (Firebase's way).
  case discard
  /// They wait on the stack.
  case queue

  var value: MessagePresenter.Suppression {
    switch self {
    case .none: .none
    case .discard: .discard
    case .queue: .queue
    }
  }
}
