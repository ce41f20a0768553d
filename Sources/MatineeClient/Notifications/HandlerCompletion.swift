/// Says that a handler is done with what it was called for.
///
/// It counts once: what is said again, or too late, is ignored, and counted for developers in
/// ``UserNotificationCenter/extraCompletions()``. A handler that never says so is taken as done
/// after 30 seconds, ``NotificationPresentationDelegate/willPresent(_:completion:)`` as a no after 5.
public struct HandlerCompletion<Result: Sendable>: Sendable {
  private let end: @Sendable (Result) -> Void

  init(_ end: @escaping @Sendable (Result) -> Void) {
    self.end = end
  }

  /// The handler is done, and that came of it.
  public func callAsFunction(_ result: Result) { end(result) }
}

extension HandlerCompletion where Result == Void {
  /// The handler is done.
  public func callAsFunction() { end(()) }
}
