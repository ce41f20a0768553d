/// What came of presenting the next message of the stack.
public enum PresentNextResult: Hashable, Sendable {
  /// It is on screen.
  case presented(MessageID)
  /// There was none.
  case empty
  /// It was taken off the stack and not shown.
  case refused(InAppMessage.Refusal)
  /// It is still on the stack: the app chose so, or there was no place for it.
  case reenqueued
}
