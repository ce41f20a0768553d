internal import CLibuv
internal import SystemLibrary
internal import Vocabulary

/// A loop on its own thread, for a program whose main thread does other work.
///
/// The context (everything confined to the loop) is built on that thread and never leaves it. Other
/// threads reach it through ``mailbox``, which is ahead of reads. Any thread may use this type. The
/// thread ends after ``stop()``.
package final class LoopThread<Context>: Sendable {
  /// Runs jobs on the context.
  package let mailbox: LoopMailbox<Context>
  private let stopper: LoopMailbox<EventLoop>
  private let thread: RunningThread

  /// Starts the thread and waits until its context is built.
  ///
  /// The wait lasts as long as `build` runs on the new thread, so `build` should only create
  /// objects.
  ///
  /// - Parameter build: creates the context, on the new thread.
  /// - Throws: the error of `build`, or the system's error if no loop or thread can be made.
  package init(
    _ build: @escaping @Sendable (EventLoop) throws(UVError) -> Context
  ) throws(UVError) {
    let handover = Handover<(LoopMailbox<Context>, LoopMailbox<EventLoop>)>()
    thread = try RunningThread {
      do throws(UVError) {
        let loop = try EventLoop()
        do throws(UVError) {
          let context = try build(loop)
          let mailbox = try LoopMailbox(on: loop, context: context, isAheadOfReads: true)
          let stopper = try LoopMailbox(on: loop, context: loop)
          handover.give(.success((mailbox, stopper)))
          loop.run()
        } catch {
          handover.give(.failure(error))
        }
        loop.close()
      } catch {
        handover.give(.failure(error))
      }
    }
    (mailbox, stopper) = try handover.take().get()
  }

  /// Ends the loop after the jobs posted so far, and closes all its handles; does not wait.
  ///
  /// From about then on, the mailbox rejects jobs. A second call does nothing.
  package func stop() {
    let stopper = stopper
    let isOpen = mailbox.post { _ in stopper.post { $0.stop() } }
    // A full or closed mailbox must not keep the thread alive.
    if !isOpen { stopper.post { $0.stop() } }
  }

  /// Waits until the thread has ended.
  ///
  /// Must not be called on that thread.
  package func join() {
    thread.join()
  }

  /// Waits until the thread has ended, at most this long; then the thread ends with the process.
  ///
  /// For a loop that may search for a host's name: libuv cannot cancel a search that runs, and the
  /// thread waits for it. Must not be called on that thread.
  ///
  /// - Returns: whether it has ended.
  package func join(within limit: Duration) -> Bool {
    thread.join(within: limit)
  }
}

/// Hands a value from one thread to another that waits for it.
private final class Handover<Value: Sendable>: Sendable {
  private let value = Monitor<Result<Value, UVError>?>(nil)

  /// Sets the value; only the first call counts.
  func give(_ result: Result<Value, UVError>) {
    value.change { value in
      value = value ?? result
      return true
    }
  }

  func take() -> Result<Value, UVError> {
    value.wait { value in value.map { .end($0) } ?? .wait(nanoseconds: nil) }
  }
}

/// A thread of the operating system that runs until its body returns.
///
/// It blocks `SIGPIPE`, so that a write to a peer that has gone fails instead of ending the process
/// (signal(7)). The process may belong to an app that does not ignore the signal.
@safe final class RunningThread: Sendable {
  private let id: pthread_t?
  /// Whether the body has returned.
  private let hasEnded: Monitor<Bool>
  private let isJoined = Locked(false)

  /// Starts a thread that runs `body` once.
  ///
  /// - Throws: the system's error if no thread can be started.
  init(_ body: @escaping @Sendable () -> Void) throws(UVError) {
    let hasEnded = Monitor(false)
    self.hasEnded = hasEnded
    var status: Int32 = 0
    let box = unsafe Unmanaged.passRetained(
      Body {
        body()
        hasEnded.change { hasEnded in
          hasEnded = true
          return true
        }
      })
    id = unsafe startThread(
      { box in
        RunningThread.blockBrokenPipes()
        if let box = unsafe box {
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        }
        return nil
      }, box.toOpaque(), status: &status)
    if status != 0 {
      unsafe box.release()
      throw UVError("thread_create", .init(-status))
    }
  }

  /// Detaches a thread that was not joined, so that the system frees it.
  deinit {
    if let id, isJoined.withLock({ !$0 }) { pthread_detach(id) }
  }

  /// Waits until the thread has ended; a second call does nothing.
  func join() {
    let isFirst = isJoined.withLock { isJoined in
      defer { isJoined = true }
      return !isJoined
    }
    guard let id, isFirst else { return }
    let status = pthread_join(id, nil)
    precondition(status == 0, "a thread must not wait for itself")
  }

  /// Waits until the thread has ended, at most this long; returns whether it has.
  func join(within limit: Duration) -> Bool {
    let deadline = uv_hrtime() + UInt64(max(limit.microseconds, 0)) * 1000
    let isOver = hasEnded.wait { hasEnded in
      let now = uv_hrtime()
      return hasEnded || now >= deadline ? .end(hasEnded) : .wait(nanoseconds: deadline - now)
    }
    if isOver { join() }
    return isOver
  }

  private static func blockBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}

/// A value that threads share, and whose changes they can wait for.
///
/// It uses libuv's mutex and condition variable, whose timed waits use the monotonic clock.
/// Unchecked, because the compiler cannot see what the mutex guards.
@safe final class Monitor<Value>: @unchecked Sendable {
  /// What a thread that looked at the value does next.
  enum Next<Result> {
    case end(Result)
    /// It waits until another thread changes the value, or at most this many nanoseconds.
    case wait(nanoseconds: UInt64?)
  }

  private let mutex: UnsafeMutablePointer<uv_mutex_t> = .allocate(capacity: 1)
  private let condition: UnsafeMutablePointer<uv_cond_t> = .allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
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

  /// Changes the value, and wakes the threads that wait if `body` says so.
  func change(_ body: (inout Value) -> Bool) {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    if body(&value) { unsafe uv_cond_broadcast(condition) }
  }

  /// Runs `body` now and after each wake-up, including spurious ones, until it ends the wait.
  func wait<Result>(_ body: (inout Value) -> Next<Result>) -> Result {
    unsafe uv_mutex_lock(mutex)
    defer { unsafe uv_mutex_unlock(mutex) }
    while true {
      switch body(&value) {
      case .end(let result): return result
      case .wait(nil): unsafe uv_cond_wait(condition, mutex)
      case .wait(let limit?): _ = unsafe uv_cond_timedwait(condition, mutex, limit)
      }
    }
  }
}
