internal import Glibc

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
