import EventLoops

/// A value that changes: what it is now, and a fresh sequence that begins with that.
///
/// Every ``values`` is a sequence of its own, for one reader. A reader that is slow misses values
/// in between, never the last ones. The sequences end when the client closes or the thing observed
/// is over.
public final class Observed<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextReader = 0
    var isOver = false
  }

  /// Values that wait for a reader at most: it sees the newest.
  public static var bufferedValues: Int { 64 }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  /// What it is now.
  public var current: Value { state.withLock { $0.value } }

  /// What it is, and becomes, from now on.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.bufferedValues))
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

  func set(_ value: Value) {
    let readers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      guard !state.isOver else { return [] }
      state.value = value
      return Array(state.readers.values)
    }
    for reader in readers { reader.yield(value) }
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
