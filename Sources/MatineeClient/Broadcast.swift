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

/// What waits for one reader of things that happen: a bounded number, and how many went missing.
///
/// When it is full the oldest goes, and is counted: the reader is told before the next element, so
/// that no gap is silent.
final class DeliveryQueue<Element: Sendable>: Sendable {
  /// What the reader is given.
  enum Delivery: Sendable {
    case element(Element)
    /// As many elements were dropped here, because the reader was too slow.
    case missed(Int)
  }

  private struct State: Sendable {
    var waiting: [Element] = []
    var missed = 0
    var isOver = false
    var reader: CheckedContinuation<Delivery?, Never>?

    /// What the reader gets now; `nil` if it has to wait.
    mutating func take() -> Delivery?? {
      if missed > 0 {
        defer { missed = 0 }
        return .some(.missed(missed))
      }
      if !waiting.isEmpty { return .some(.element(waiting.removeFirst())) }
      return isOver ? .some(nil) : .none
    }
  }

  private let state = Locked(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  func send(_ element: Element) {
    let reader = state.withLock { state -> CheckedContinuation<Delivery?, Never>? in
      guard !state.isOver else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      if state.waiting.count >= limit {
        state.waiting.removeFirst()
        state.missed += 1
      }
      state.waiting.append(element)
      return nil
    }
    reader?.resume(returning: .element(element))
  }

  func finish() {
    let reader = state.withLock { state -> CheckedContinuation<Delivery?, Never>? in
      state.isOver = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// The next thing; `nil` when there can be no more, and for a task that was cancelled.
  func next() async -> Delivery? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> Delivery?? in
          if let delivery = state.take() { return delivery }
          // One sequence has one reader; a second one at the same time gets the end.
          guard !Task.isCancelled, state.reader == nil else { return .some(nil) }
          state.reader = continuation
          return .none
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      finish()
    }
  }
}

extension DeliveryQueue.Delivery: Equatable where Element: Equatable {}
