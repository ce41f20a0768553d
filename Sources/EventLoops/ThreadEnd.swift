internal import CLibuv
internal import Vocabulary

/// Whether a thread has done its work, for those who wait for it for a limited time.
///
/// It uses libuv's mutex and condition variable, whose timed waits count on the monotonic clock.
/// Unchecked, because the compiler cannot see what the mutex guards.
@safe final class ThreadEnd: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<uv_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<uv_cond_t> = .allocate(capacity: 1)
  private var hasCome = false

  init() {
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

  /// Marks the work as done.
  func signal() {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    hasCome = true
    unsafe uv_cond_broadcast(condition)
  }

  /// Waits until the work is done, at most this long; returns whether it is.
  func wait(within limit: Duration) -> Bool {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    let deadline = uv_hrtime() + UInt64(max(limit.microseconds, 0)) * 1000
    while !hasCome {
      let now = uv_hrtime()
      guard now < deadline else { return false }
      _ = unsafe uv_cond_timedwait(condition, mutex, deadline - now)
    }
    return true
  }
}
