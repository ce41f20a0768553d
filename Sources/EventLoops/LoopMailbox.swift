internal import CLibuv
internal import Glibc

/// The one door into a loop from other threads: jobs posted here run on the loop's thread.
///
/// Any thread may post. A job is given the mailbox's context, which is confined to the loop, so
/// nothing confined is ever captured. Jobs run in the order they were posted, all that wait at
/// once, since libuv merges wake-ups. An open mailbox keeps the loop running.
package final class LoopMailbox<Context>: Sendable {
  /// Something to do on the loop's thread.
  package typealias Job = @Sendable (Context) -> Void

  private let state: Locked<State>

  private struct State: Sendable {
    var jobs: [Job] = []
    /// Nil once closed.
    ///
    /// Sent to only under the lock, so never after its handle went.
    var wakeup: LoopWakeup.Sender?
  }

  /// How many jobs may wait: far more than any caller has in flight, so reaching it means that the
  /// loop hangs, and memory must not follow.
  package static var waitingMaximum: Int { 65_536 }

  /// Opens a mailbox; call it on the loop's thread, where the context lives.
  ///
  /// The loop holds the context until the mailbox is closed.
  ///
  /// - Parameters:
  ///   - loop: where the jobs run.
  ///   - context: what they are given.
  ///   - isAheadOfReads: whether a job that was posted before a peer sent something runs before that
  ///     is read, so that whoever says something here, and then has somebody answer, finds it said.
  ///     One mailbox of a loop can be.
  package init(
    on loop: EventLoop, context: Context, isAheadOfReads: Bool = false
  ) throws(UVError) {
    let state = Locked(State())
    let run = {
      let jobs = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return jobs
      }
      for job in jobs { job(context) }
    }
    let wakeup = try LoopWakeup(on: loop, onWake: run) {
      state.withLock { $0.wakeup = nil }
      if isAheadOfReads { loop.aheadOfReads = nil }
    }
    if isAheadOfReads { loop.aheadOfReads = run }
    state.withLock { $0.wakeup = wakeup.sender }
    self.state = state
  }

  /// Has a job run on the loop's thread soon; from any thread.
  ///
  /// - Returns: false if the mailbox is closed or full; the job will not run then.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool {
    state.withLock { state in
      guard let wakeup = state.wakeup, state.jobs.count < Self.waitingMaximum else { return false }
      state.jobs.append(job)
      if state.jobs.count == 1 { wakeup.send() }
      return true
    }
  }

  /// Closes the mailbox after running the jobs that wait; from the loop's thread only.
  ///
  /// Closing the loop does it too. A second call does nothing.
  package func close() {
    state.withLock { $0.wakeup }?.close()
  }
}

/// Wakes a loop from another thread, by a descriptor that the loop polls.
///
/// As libuv's `uv_async_t` does, but for one thing: in libuv 1.44 a loop that wakes before the sender
/// is back from its system call spins until it is, which at a thousand wake-ups a second was 7 % of
/// the server's processor time. Linux's `eventfd` needs no such agreement.
///
/// Confined to its loop's thread, but for its ``Sender``. It keeps the loop running until
/// ``close()``.
@safe final class LoopWakeup: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_poll_t>
  private let descriptor: CInt
  private var onWake: (() -> Void)?
  private var atClose: (() -> Void)?

  /// Calls `onWake` on the loop some time after each send; several sends may count as one.
  ///
  /// When it is closed, `atClose` must stop all senders, and `onWake` is called a last time.
  init(
    on loop: EventLoop, onWake: @escaping () -> Void, atClose: @escaping () -> Void
  ) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.onWake = onWake
    self.atClose = atClose
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw UVError("eventfd", .init(-errno)) }
    unsafe handle = allocateHandle(uv_poll_t.self)
    let status = unsafe uv_poll_init(loop.raw, handle, descriptor)
    guard status == 0 else {
      unsafe handle.deallocate()
      Glibc.close(descriptor)
      throw UVError("poll_init", .init(status))
    }
    unsafe setOwner(self, of: handle)
    unsafe uv_poll_start(handle, CInt(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe owner(of: handle, as: LoopWakeup.self)?.wake()
    }
  }

  private func wake() {
    var count = eventfd_t()
    // It fails only where another call of this turn has read it.
    _ = unsafe eventfd_read(descriptor, &count)
    onWake?()
  }

  /// The part that other threads may hold, as long as `atClose` makes them stop using it.
  var sender: Sender { Sender(descriptor: descriptor, wakeup: self) }

  /// Stops the senders, then wakes a last time; a second call does nothing.
  func close() {
    loop.preconditionOnLoop()
    guard let onWake else { return }
    atClose?()
    onWake()
    self.onWake = nil
    atClose = nil
    unsafe closeHandle(handle)
    Glibc.close(descriptor)
  }

  /// Sends wake-ups from any thread: unchecked, since what it needs of the wake-up is a number.
  @safe struct Sender: @unchecked Sendable {
    fileprivate let descriptor: CInt
    fileprivate let wakeup: LoopWakeup

    func send() {
      // It fails only where more wake-ups wait than a number can count.
      _ = eventfd_write(descriptor, 1)
    }

    /// Closes the wake-up; on its loop's thread, which is checked.
    func close() { wakeup.close() }
  }
}

@available(*, unavailable)
extension LoopWakeup: Sendable {}

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
