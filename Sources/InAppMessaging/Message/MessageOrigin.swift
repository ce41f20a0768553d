/// By which way a message came to be presented.
public enum MessageOrigin: String, Hashable, Sendable, CaseIterable {
  /// An event brought it.
  case trigger
  /// It was next on the stack.
  case stack
  /// A click on the message before brought it.
  case followUp
  /// It belongs to a session and had waited for the screen.
  case deferred
  /// The app presents it itself.
  case local
}
