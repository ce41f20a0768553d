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
