internal import CLibuv
internal import Glibc

/// A loop on a thread of its own, for a program whose main thread does something else.
///
/// The context, everything confined to the loop, is built on that thread and never leaves it:
/// reach it through ``mailbox``, which is ahead of reads. Any thread may use this. The thread ends after
/// ``stop()``.
package final class LoopThread<Context>: Sendable {
  /// The door to the context.
  package let mailbox: LoopMailbox<Context>
  private let stopper: LoopMailbox<EventLoop>
  private let thread: RunningThread

  /// Starts the thread, and waits for its context to be built.
  ///
  /// The wait is as long as `build` takes on the new thread: keep it to making things.
  ///
  /// - Parameter build: makes the context, on the new thread.
  /// - Throws: what `build` throws, or the system's error if there can be no loop or thread.
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
  /// The mailbox takes no more jobs from about then on. A second call does nothing.
  package func stop() {
    let stopper = stopper
    let isOpen = mailbox.post { _ in stopper.post { $0.stop() } }
    // A full or closed mailbox must not keep the thread alive.
    if !isOpen { stopper.post { $0.stop() } }
  }

  /// Waits until the thread has ended; not on that thread itself.
  package func join() {
    thread.join()
  }
}

/// A value that one thread makes and another waits for.
@safe private final class Handover<Value: Sendable>: Sendable {
  private let value = Locked<Result<Value, UVError>?>(nil)
  private let ready: Semaphore = .init()

  /// Gives the value; only the first one counts.
  func give(_ result: Result<Value, UVError>) {
    value.withLock { $0 = $0 ?? result }
    ready.post()
  }

  func take() -> Result<Value, UVError> {
    ready.wait()
    return value.withLock { $0 } ?? .failure(UVError("thread_create", .canceled))
  }
}

/// libuv's counting semaphore; unchecked, since libuv's own promise is that threads may share it.
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

/// A thread of the operating system, running until its body returns.
///
/// A write to a peer that has gone is an error of that write there, and not the end of a process
/// that does not ignore `SIGPIPE` (signal(7)): whose process it is may be an app's own affair.
@safe final class RunningThread: Sendable {
  private let id: pthread_t
  private let isJoined = Locked(false)

  /// Starts a thread that runs `body` once.
  ///
  /// - Throws: the system's error if there can be no more threads.
  init(_ body: @escaping @Sendable () -> Void) throws(UVError) {
    var id = pthread_t()
    let box = unsafe Unmanaged.passRetained(Body(body))
    let status = unsafe pthread_create(
      &id, nil,
      { box in
        RunningThread.blockBrokenPipes()
        if let box = unsafe box {
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        }
        return nil
      }, box.toOpaque())
    self.id = id
    if status != 0 {
      unsafe box.release()
      throw UVError("thread_create", .init(-status))
    }
  }

  /// A thread that nobody waited for cleans up after itself.
  deinit {
    if isJoined.withLock({ !$0 }) { pthread_detach(id) }
  }

  /// Waits until the thread has ended; a second call does nothing.
  func join() {
    let isFirst = isJoined.withLock { isJoined in
      defer { isJoined = true }
      return !isJoined
    }
    guard isFirst else { return }
    let status = pthread_join(id, nil)
    precondition(status == 0, "a thread must not wait for itself")
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
