import EventLoops

/// Delivers events to every reader that is listening when they happen.
///
/// Each reader has its own bounded queue; see ``DeliveryQueue``. The sequences end after
/// ``finish()``.
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

  /// Whether ``finish()`` was called, so that no more elements follow.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Returns a queue that receives all elements from now on, for as long as the caller holds it.
  ///
  /// - Parameter first: an element to put into the queue at once, also after ``finish()``.
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

  /// Returns a stream of all elements from now on, with gaps reported as elements, too.
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

/// The bounded queue of one reader, with a count of the elements that were dropped.
///
/// When the queue is full, the oldest element is dropped and counted. The reader gets the count
/// before the next element, so that it notices every gap.
final class DeliveryQueue<Element: Sendable>: Sendable {
  /// One item that the reader receives.
  enum Delivery: Sendable {
    case element(Element)
    /// This many elements were dropped at this point because the reader was too slow.
    case missed(Int)
  }

  private struct State: Sendable {
    var waiting: [Element] = []
    var missed = 0
    var isOver = false
    var reader: CheckedContinuation<Delivery?, Never>?

    /// The next delivery for the reader; `nil` if it has to wait.
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

  /// Returns the next delivery; `nil` after the end, and in a task that was cancelled.
  func next() async -> Delivery? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> Delivery?? in
          if let delivery = state.take() { return delivery }
          // A sequence has one reader; a second one that waits at the same time gets the end.
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
