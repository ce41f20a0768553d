import EventLoops

/// Things that happen, told to every reader that listens at the time.
///
/// Each reader has a queue of its own with a bound; see ``DeliveryQueue``. The sequences end when
/// there can be no more.
final class Broadcast<Element: Sendable>: Sendable {
  private struct Reader: Sendable {
    weak var queue: DeliveryQueue<Element>?
  }

  private struct State: Sendable {
    var readers: [Reader] = []
    var isOver = false
  }

  private let state = Locked(State())
  private let limit: Int

  init(buffering limit: Int) {
    self.limit = limit
  }

  /// Whether there can be no more.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// What happens from now on, for as long as the queue is held.
  ///
  /// - Parameter first: what the reader finds there already, also where there can be no more.
  func listen(beginningWith first: Element? = nil) -> DeliveryQueue<Element> {
    let queue = DeliveryQueue<Element>(limit: limit)
    if let first { queue.send(first) }
    let isOver = state.withLock { state in
      state.readers.removeAll { $0.queue == nil }
      if !state.isOver { state.readers.append(Reader(queue: queue)) }
      return state.isOver
    }
    if isOver { queue.finish() }
    return queue
  }

  func send(_ element: Element) {
    for queue in state.withLock({ $0.readers.compactMap(\.queue) }) { queue.send(element) }
  }

  func finish() {
    let queues = state.withLock { state in
      state.isOver = true
      defer { state.readers = [] }
      return state.readers.compactMap(\.queue)
    }
    for queue in queues { queue.finish() }
  }

  /// What happens from now on, gaps told as elements too.
  func stream(missed: @escaping @Sendable (Int) -> Element) -> AsyncStream<Element> {
    let queue = listen()
    return AsyncStream {
      switch await queue.next() {
      case .element(let element): element
      case .missed(let count): missed(count)
      case nil: nil
      }
    }
  }
}
