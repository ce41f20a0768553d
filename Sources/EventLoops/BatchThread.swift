internal import CLibuv
internal import Vocabulary

/// Processes the batches of a ``BatchThread``, on that thread.
package protocol BatchConsumer: AnyObject, SendableMetatype {
  associatedtype Item: Sendable

  /// Processes everything posted since the last batch began, in order; it may block.
  func consume(_ batch: [Item])

  /// Called once, after the last batch.
  func finish()
}

extension BatchConsumer {
  package func finish() {}
}

/// A thread that processes items from other threads in batches.
///
/// It saves cost where a batch is expensive and an item cheap: batches begin at least an interval
/// apart, and the thread sleeps in between, however many items arrive. After an idle time, the
/// first item is processed immediately. Any thread may post. The queue has no bound, so callers
/// must bound their items.
package final class BatchThread<Item: Sendable>: Sendable {
  private let inbox: Inbox<Item>
  private let thread: RunningThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - interval: the shortest time between the beginnings of two batches.
  ///   - make: creates the consumer on the new thread, which it never leaves.
  ///   - atEnd: called on the thread once the consumer has finished, for callers that do not join.
  /// - Throws: the system's error if no thread can be started.
  package init<Consumer: BatchConsumer>(
    every interval: Duration, _ make: @escaping @Sendable () -> Consumer,
    atEnd: @escaping @Sendable () -> Void = {}
  ) throws(UVError) where Consumer.Item == Item {
    let inbox = Inbox<Item>(interval: interval)
    self.inbox = inbox
    thread = try RunningThread {
      let consumer = make()
      while let batch = inbox.take() { consumer.consume(batch) }
      consumer.finish()
      atEnd()
    }
  }

  /// Queues an item; after ``stop()`` it is discarded.
  package func post(_ item: Item) {
    inbox.put(item)
  }

  /// Makes the thread end after the items posted so far, without waiting for the interval.
  package func stop() {
    inbox.close()
  }

  /// Waits until the thread has ended.
  ///
  /// Must not be called on that thread.
  package func join() {
    thread.join()
  }

  /// Waits until the thread has ended, at most this long; then the thread ends with the process.
  ///
  /// For a thread that may hang, as one that writes to a pipe that nobody reads.
  ///
  /// - Returns: whether it has ended.
  package func join(within limit: Duration) -> Bool {
    thread.join(within: limit)
  }
}

/// The queue of a thread, and the time of its next batch.
private final class Inbox<Item: Sendable>: Sendable {
  private struct State: Sendable {
    var items: [Item] = []
    var isClosed = false
    /// Whether the next item must wake the thread; false while it works or sleeps.
    var isIdle = false
    /// When the next batch may begin, in nanoseconds of `uv_hrtime`.
    var earliest: UInt64 = 0
  }

  private let interval: UInt64
  private let state = Monitor(State())

  init(interval: Duration) {
    self.interval = UInt64(max(interval.microseconds, 0)) * 1000
  }

  func put(_ item: Item) {
    state.change { state in
      guard !state.isClosed else { return false }
      state.items.append(item)
      defer { state.isIdle = false }
      return state.isIdle
    }
  }

  func close() {
    state.change { state in
      state.isClosed = true
      return true
    }
  }

  /// Waits for the next batch; `nil` once closed and empty.
  func take() -> [Item]? {
    state.wait { state in
      let now = uv_hrtime()
      state.isIdle = !state.isClosed && now >= state.earliest && state.items.isEmpty
      if state.isIdle { return .wait(nanoseconds: nil) }
      guard state.isClosed || now >= state.earliest else {
        return .wait(nanoseconds: state.earliest - now)
      }
      guard !state.items.isEmpty else { return .end(nil) }
      state.earliest = now + interval
      defer { state.items = [] }
      return .end(state.items)
    }
  }
}
