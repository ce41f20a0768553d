import EventLoops

/// A value that changes: what it is now, and a fresh sequence that begins with that.
///
/// Every ``values`` is a sequence of its own, for one reader. A reader that is slow misses values in
/// between, never the newest: values that wait are replaced, so nothing grows and nothing is stale.
/// The last value is delivered even after the end. The sequences end when the client closes or the
/// thing observed is over.
public final class Observed<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextReader = 0
    var isOver = false
  }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// What it is now.
  public var current: Value { state.withLock { $0.value } }

  /// What it is, and becomes, from now on.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let reader: Int? = state.withLock { state in
      continuation.yield(state.value)
      guard !state.isOver else { return nil }
      state.nextReader += 1
      state.readers[state.nextReader] = continuation
      return state.nextReader
    }
    guard let reader else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: reader) }
    }
    return stream
  }

  /// Tells every reader, under the lock: whoever sets last is seen last, whatever the threads.
  func set(_ value: Value) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.value = value
      for reader in state.readers.values { reader.yield(value) }
    }
  }

  func finish() {
    let readers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      state.isOver = true
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}

extension Observed where Value: Equatable {
  /// Sets the value if it is another one.
  func update(_ value: Value) {
    if value != current { set(value) }
  }
}
