internal import CLibuv
internal import Vocabulary

/// Takes what a ``BatchThread`` gathered, on that thread.
package protocol BatchConsumer: AnyObject, SendableMetatype {
  associatedtype Item: Sendable

  /// Takes all that came since the last batch began, in the order it came; it may block.
  func consume(_ batch: [Item])

  /// Nothing more comes.
  func finish()
}

/// A thread that works off what others hand it, in batches.
///
/// Where a batch costs much and an item little, that is fewer batches: one follows another no sooner
/// than an interval after that one began, and the thread sleeps it through however much comes. After
/// a rest the first item is a batch at once. Any thread may hand items over; keep them bounded, the
/// thread does not.
package final class BatchThread<Item: Sendable>: Sendable {
  private let inbox: Inbox<Item>
  private let thread: RunningThread

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - interval: the shortest time from the beginning of a batch to that of the next.
  ///   - make: makes the one who works, on the new thread, which it never leaves.
  /// - Throws: the system's error if there can be no more threads.
  package init<Consumer: BatchConsumer>(
    every interval: Duration, _ make: @escaping @Sendable () -> Consumer
  ) throws(UVError) where Consumer.Item == Item {
    let inbox = Inbox<Item>(interval: interval)
    self.inbox = inbox
    thread = try RunningThread {
      let consumer = make()
      while let batch = inbox.take() { consumer.consume(batch) }
      consumer.finish()
    }
  }

  /// Hands an item over; after ``stop()`` it is let go of.
  package func post(_ item: Item) {
    inbox.put(item)
  }

  /// Has the thread end after what it was handed so far, without waiting for an interval.
  package func stop() {
    inbox.close()
  }

  /// Waits until the thread has ended; not on that thread itself.
  package func join() {
    thread.join()
  }
}

/// What waits for a thread, and the thread's rest.
///
/// Built on libuv's mutex and condition variable, whose waits count by its monotonic clock; unchecked,
/// since the compiler cannot see what the mutex guards.
@safe private final class Inbox<Item: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<uv_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<uv_cond_t> = .allocate(capacity: 1)
  private let interval: UInt64
  private var items: [Item] = []
  private var isClosed = false
  /// Whether the next item must wake the thread: not while it works, or rests.
  private var isIdle = false
  /// When the next batch may begin, in `uv_hrtime`'s nanoseconds.
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
