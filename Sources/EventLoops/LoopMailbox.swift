internal import CLibuv
internal import SystemLibrary

/// Runs jobs from other threads on a loop's thread; the only way in from outside.
///
/// Any thread may post. A job receives the mailbox's context, which is confined to the loop, so
/// that jobs never capture confined state. Jobs run in the order in which they were posted, and all
/// waiting jobs run at once, because libuv merges wake-ups. An open mailbox keeps the loop running.
package final class LoopMailbox<Context>: Sendable {
  /// Work to do on the loop's thread.
  package typealias Job = @Sendable (Context) -> Void

  private let state: Locked<State>

  private struct State: Sendable {
    var jobs: [Job] = []
    /// Nil once closed.
    ///
    /// Used only under the lock, so never after its handle is gone.
    var wakeup: LoopWakeup.Sender?
  }

  /// How many jobs may wait.
  ///
  /// No caller has that many in flight, so reaching it means that the loop hangs, and memory must
  /// not grow with it.
  package static var waitingMaximum: Int { 65_536 }

  /// Opens a mailbox.
  ///
  /// Must be called on the loop's thread.
  ///
  /// The loop keeps the context until the mailbox is closed.
  ///
  /// - Parameters:
  ///   - loop: the loop that runs the jobs.
  ///   - context: the argument of each job.
  ///   - isAheadOfReads: whether jobs posted before a peer sent something run before that is read.
  ///     Then a caller that posts a job and afterwards triggers a peer's message finds the job done
  ///     first. One mailbox per loop can have this.
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

  /// Runs a job on the loop's thread soon; callable from any thread.
  ///
  /// - Returns: false if the mailbox is closed or full; the job is then discarded.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool {
    state.withLock { state in
      guard let wakeup = state.wakeup, state.jobs.count < Self.waitingMaximum else { return false }
      state.jobs.append(job)
      if state.jobs.count == 1 { wakeup.send() }
      return true
    }
  }

  /// Runs the waiting jobs and closes the mailbox; only on the loop's thread.
  ///
  /// Closing the loop closes it too. A second call does nothing.
  package func close() {
    state.withLock { $0.wakeup }?.close()
  }
}

/// Wakes a loop from another thread through a descriptor that the loop polls.
///
/// It replaces libuv's `uv_async_t`: in libuv 1.44, a loop that wakes before the sender's system
/// call returns spins until it does, which took 7 % of the server's processor time at a thousand
/// wake-ups a second. A pipe does not need that.
///
/// Confined to its loop's thread, except its ``Sender``. It keeps the loop running until
/// ``close()``.
@safe final class LoopWakeup: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_poll_t>
  /// The pipe's end that the loop reads.
  private let near: CInt
  /// The end that senders write to.
  private let far: CInt
  private var onWake: (() -> Void)?
  private var atClose: (() -> Void)?

  /// Calls `onWake` on the loop soon after each send; several sends may result in one call.
  ///
  /// On closing, `atClose` must stop all senders; then `onWake` is called a last time.
  init(
    on loop: EventLoop, onWake: @escaping () -> Void, atClose: @escaping () -> Void
  ) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.onWake = onWake
    self.atClose = atClose
    var ends: [CInt] = [-1, -1]
    let isNonblocking = CInt(UV_NONBLOCK_PIPE.rawValue)
    try UVError.check("pipe", unsafe uv_pipe(&ends, isNonblocking, isNonblocking))
    (near, far) = (ends[0], ends[1])
    unsafe handle = allocateHandle(uv_poll_t.self)
    let status = unsafe uv_poll_init(loop.raw, handle, near)
    guard status == 0 else {
      unsafe handle.deallocate()
      for end in ends { SystemLibrary.close(end) }
      throw UVError("poll_init", .init(status))
    }
    unsafe setOwner(self, of: handle)
    unsafe uv_poll_start(handle, CInt(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe owner(of: handle, as: LoopWakeup.self)?.wake()
    }
  }

  private func wake() {
    var bytes = UInt64()
    // Fails only if another call in this turn has already read it.
    _ = unsafe read(near, &bytes, MemoryLayout.size(ofValue: bytes))
    onWake?()
  }

  /// The part for other threads; `atClose` must make them stop using it.
  var sender: Sender { Sender(descriptor: far, wakeup: self) }

  /// Stops the senders, then wakes a last time; a second call does nothing.
  func close() {
    loop.preconditionOnLoop()
    guard let onWake else { return }
    atClose?()
    onWake()
    self.onWake = nil
    atClose = nil
    unsafe closeHandle(handle)
    for end in [near, far] { SystemLibrary.close(end) }
  }

  /// Sends wake-ups from any thread.
  ///
  /// Unchecked, because sending uses only the descriptor's number.
  @safe struct Sender: @unchecked Sendable {
    fileprivate let descriptor: CInt
    fileprivate let wakeup: LoopWakeup

    func send() {
      // Fails only if the pipe is full of pending wake-ups.
      var byte = UInt8()
      _ = unsafe write(descriptor, &byte, 1)
    }

    /// Closes the wake-up; must be called on its loop's thread, which is checked.
    func close() { wakeup.close() }
  }
}

@available(*, unavailable)
extension LoopWakeup: Sendable {}

/// A value shared by several threads under a mutex.
///
/// Built on `pthread_mutex_t`, because the thread sanitizer understands it; for
/// `Synchronization.Mutex` of Swift 6.3 it reports false races. An uncontended lock took 21 ns,
/// against 63 ns for `Mutex`. Unchecked, because the compiler cannot see what the lock guards.
@safe package final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "a default mutex needs no resources")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` with exclusive access.
  ///
  /// Keep it short, and do not lock again inside.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
