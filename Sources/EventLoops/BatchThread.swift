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
///
/// It uses libuv's mutex and condition variable, whose timed waits count on the monotonic clock.
/// Unchecked, because the compiler cannot see what the mutex guards.
@safe private final class Inbox<Item: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<uv_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<uv_cond_t> = .allocate(capacity: 1)
  private let interval: UInt64
  private var items: [Item] = []
  private var isClosed = false
  /// Whether the next item must wake the thread; false while it works or sleeps.
  private var isIdle = false
  /// When the next batch may begin, in nanoseconds of `uv_hrtime`.
  private var earliest: UInt64 = 0

  init(interval: Duration) {
    self.interval = UInt64(max(interval.microseconds, 0)) * 1000
    unsafe mutex.initialize(to: uv_mutex_t())
    unsafe condition.initialize(to: uv_cond_t())
    let status = unsafe (uv_mutex_init(mutex), uv_cond_init(condition))
    precondition(status == (0, 0), "a mutex and a condition need no resources on Linux")
  }

  deinit {
    unsafe uv_cond_destroy(condition)
    unsafe uv_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func put(_ item: Item) {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    guard !isClosed else { return }
    items.append(item)
    guard isIdle else { return }
    isIdle = false
    unsafe uv_cond_signal(condition)
  }

  func close() {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    isClosed = true
    unsafe uv_cond_signal(condition)
  }

  /// Waits for the next batch; `nil` once closed and empty.
  func take() -> [Item]? {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    while !isClosed {
      let now = uv_hrtime()
      if now < earliest {
        _ = unsafe uv_cond_timedwait(condition, mutex, earliest - now)
      } else if items.isEmpty {
        isIdle = true
        unsafe uv_cond_wait(condition, mutex)
        isIdle = false
      } else {
        break
      }
    }
    guard !items.isEmpty else { return nil }
    earliest = uv_hrtime() + interval
    let batch = items
    items = []
    return batch
  }
}
