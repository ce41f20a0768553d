internal import CLibuv
internal import Glibc

/// A value that several threads share, one at a time.
///
/// Built on `pthread_mutex_t`: the thread sanitizer understands it, as it does not
/// `Synchronization.Mutex` in Swift 6.3 (which it reports falsely), and uncontended it took 21 ns
/// where that took 63. Unchecked, since the compiler cannot see what the lock guards.
@safe package final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private var value: Value

  /// A value for several threads.
  package init(_ value: sending Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "a default mutex needs no resources on Linux")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread can; keep it short, and never lock again inside.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
