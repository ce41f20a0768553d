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
@safe private final class Handover<Value: Sendable>: Sendable {
  private let value = Locked<Result<Value, UVError>?>(nil)
  private let ready: Semaphore = .init()

  /// Sets the value; only the first call counts.
  func give(_ result: Result<Value, UVError>) {
    value.withLock { $0 = $0 ?? result }
    ready.post()
  }

  func take() -> Result<Value, UVError> {
    ready.wait()
    return value.withLock { $0 } ?? .failure(UVError("thread_create", .canceled))
  }
}

/// libuv's counting semaphore.
///
/// Unchecked, because libuv guarantees that threads may share it.
@safe private final class Semaphore: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<uv_sem_t> = .allocate(capacity: 1)

  init() {
    unsafe raw.initialize(to: uv_sem_t())
    let status = unsafe uv_sem_init(raw, 0)
    precondition(status == 0, "a semaphore that starts at zero is always valid")
  }

  deinit {
    unsafe uv_sem_destroy(raw)
    unsafe raw.deallocate()
  }

  func post() { unsafe uv_sem_post(raw) }
  func wait() { unsafe uv_sem_wait(raw) }
}

/// A thread of the operating system that runs until its body returns.
///
/// It blocks `SIGPIPE`, so that a write to a peer that has gone fails instead of ending the process
/// (signal(7)). The process may belong to an app that does not ignore the signal.
@safe final class RunningThread: Sendable {
  private let id: pthread_t?
  private let end: ThreadEnd
  private let isJoined = Locked(false)

  /// Starts a thread that runs `body` once.
  ///
  /// - Throws: the system's error if no thread can be started.
  init(_ body: @escaping @Sendable () -> Void) throws(UVError) {
    let end = ThreadEnd()
    self.end = end
    var status: Int32 = 0
    let box = unsafe Unmanaged.passRetained(
      Body {
        body()
        end.signal()
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
    guard end.wait(within: limit) else { return false }
    join()
    return true
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
