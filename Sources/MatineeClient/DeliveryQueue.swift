import EventLoops

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
