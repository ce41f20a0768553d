import EventLoops

/// A value that changes over time: its current value, and sequences of its values.
///
/// Every access to ``values`` returns a new sequence for one reader. A slow reader misses
/// intermediate values, but never the newest: a pending value is replaced by the next one, so the
/// backlog does not grow and is never stale. The last value is delivered even after the end. The
/// sequences end when the client closes or the observed object is over.
public final class Observed<Value: Sendable>: Sendable {
  private let state: Locked<Value>
  private let readers = Broadcast<Value>(buffering: 1)

  init(_ value: Value) {
    state = Locked(value)
  }

  /// The current value.
  public var current: Value { state.withLock { $0 } }

  /// The current value, then each new one.
  public var values: AsyncStream<Value> {
    let queue = state.withLock { readers.listen(beginningWith: $0) }
    return AsyncStream {
      while let delivery = await queue.next() {
        // A missed value was replaced by a newer one.
        if case .element(let value) = delivery { return value }
      }
      return nil
    }
  }

  /// Sets the value and delivers it to every reader.
  ///
  /// It delivers under the lock, so that all readers see concurrent changes in the same order.
  func set(_ value: Value) {
    state.withLock { state in
      guard !readers.isOver else { return }
      state = value
      readers.send(value)
    }
  }

  func finish() { readers.finish() }
}

extension Observed where Value: Equatable {
  /// Sets the value if it differs from the current one.
  func update(_ value: Value) {
    if value != current { set(value) }
  }
}
