import EventLoops

/// A value that changes: what it is now, and a fresh sequence that begins with that.
///
/// Every ``values`` is a sequence of its own, for one reader. A reader that is slow misses values in
/// between, never the newest: values that wait are replaced, so nothing grows and nothing is stale.
/// The last value is delivered even after the end. The sequences end when the client closes or the
/// thing observed is over.
public final class Observed<Value: Sendable>: Sendable {
  private let state: Locked<Value>
  private let readers = Broadcast<Value>(buffering: 1)

  init(_ value: Value) {
    state = Locked(value)
  }

  /// What it is now.
  public var current: Value { state.withLock { $0 } }

  /// What it is, and becomes, from now on.
  public var values: AsyncStream<Value> {
    let queue = state.withLock { readers.listen(beginningWith: $0) }
    return AsyncStream {
      while let delivery = await queue.next() {
        // What went missing was replaced by something newer.
        if case .element(let value) = delivery { return value }
      }
      return nil
    }
  }

  /// Tells every reader, under the lock: whoever sets last is seen last, whatever the threads.
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
  /// Sets the value if it is another one.
  func update(_ value: Value) {
    if value != current { set(value) }
  }
}
