import EventLoops

/// Things that happen, told to every reader that listens at the time.
///
/// A reader that is slow keeps the newest; the sequences end when there can be no more.
final class Broadcast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var readers: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextReader = 0
    var isOver = false
  }

  private let state = Locked(State())
  private let bufferedElements: Int

  init(buffering bufferedElements: Int) {
    self.bufferedElements = bufferedElements
  }

  /// What happens from now on.
  var elements: AsyncStream<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream(
      bufferingPolicy: .bufferingNewest(bufferedElements))
    let reader: Int? = state.withLock { state in
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

  func send(_ element: Element) {
    for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(element) }
  }

  func finish() {
    let readers = state.withLock { state -> [AsyncStream<Element>.Continuation] in
      state.isOver = true
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
