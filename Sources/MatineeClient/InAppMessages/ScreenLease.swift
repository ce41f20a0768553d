import EventLoops

/// A reservation of the screen for a pop-up of the app's own; no message is shown while it is held.
///
/// It ends with ``end()``, or when it is released.
public final class ScreenLease: Sendable {
  private let onEnd: @Sendable () -> Void
  private let isOver = Locked(false)

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { end() }

  /// Ends the reservation; a second call has no effect.
  public func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { onEnd() }
  }
}
