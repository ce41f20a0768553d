import EventLoops

/// The screen, lent to a pop-up of the app's own: no message comes while it is held.
///
/// It ends with ``end()``, or when it is let go.
public final class ScreenLease: Sendable {
  private let onEnd: @Sendable () -> Void
  private let isOver = Locked(false)

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { end() }

  /// Gives the screen back; a second call does nothing.
  public func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { onEnd() }
  }
}
