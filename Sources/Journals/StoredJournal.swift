package import Coordination
import EventLoops
import Vocabulary

/// A journal that a thread of its own writes, to a file or to PostgreSQL.
///
/// Confined to the loop's thread. At the end of each turn of the loop, everything appended during
/// the turn goes to the thread. The thread writes everything waiting as one transaction.
package final class StoredJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// The thread that writes; `nil` once it has ended or is given up.
  private var store: BatchThread<JournalTurn>?
  private var mailbox: LoopMailbox<StoredJournal>?
  private var writer = RecordWriter()
  /// What this turn has appended so far.
  private var gathered = Gathered()
  /// The turns being written, by their numbers.
  ///
  /// An aggregate has at most one append in flight. A device has one for each refusal and each answer
  /// without events that is not stored yet: only the rate of its requests bounds those.
  private var inFlight: [Int: PostedTurn] = [:]
  private var lastTurn = 0
  private var failure: String?
  private var isReplaced = false
  private var phase = Phase.open
  /// The instant of the last event.
  private var now: Instant
  /// Gives the thread an empty turn, in which it measures, and tries again while it fails.
  private var retryTimer: LoopTimer?
  /// When the timer fires; `nil` while it is not armed.
  private var retryAt: HostTime?
  private let retryPause: Duration
  /// Gives the thread up if it does not end in time.
  private var farewell: LoopTimer?
  private let patience: Duration?
  private let loop: EventLoop

  private enum Phase {
    case open
    /// The thread is told to end once everything is answered.
    case closing
    /// The thread has been told to end, and closes the file or the connection.
    case ending
    /// The thread has ended or is given up.
    case closed
  }

  private struct Gathered {
    var entries: [JournalEntry] = []
    var appends: [Append] = []
  }

  private struct PostedTurn {
    let begin: HostTime
    let appends: [Append]
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - contents: what the journal held when it was opened.
  ///   - size: the bytes that it takes.
  ///   - interval: the shortest time between two transactions.
  ///   - retryPause: how long after a failure the thread gets an empty turn, if nothing else comes.
  ///   - patience: how long it waits for the thread once it closes, as the thread may hang; `nil`
  ///     waits for its end.
  ///   - loop: the loop that appends.
  ///   - makeStore: makes the writer on the new thread, with the function that takes its reports.
  /// - Throws: the system's error if no thread can be started.
  init<Store: BatchConsumer>(
    after contents: JournalContents, size: Int, every interval: Duration,
    retryingAfter retryPause: Duration, closingWithin patience: Duration? = nil,
    on loop: EventLoop,
    _ makeStore:
      @escaping @Sendable (_ report: @escaping @Sendable (JournalReport) -> Void) -> Store
  ) throws(UVError) where Store.Item == JournalTurn {
    now = contents.latest ?? Instant(microseconds: 0)
    self.size = size
    self.retryPause = retryPause
    self.patience = patience
    self.loop = loop
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    do throws(UVError) {
      store = try BatchThread(every: interval) {
        makeStore { report in mailbox.post { $0.take(report) } }
      } atEnd: {
        mailbox.post { $0.release() }
      }
    } catch {
      mailbox.close()
      throw error
    }
    retryTimer = LoopTimer(on: loop) { [weak self] in self?.retry() }
    loop.atTurnEnd(.settle) { [weak self] in self?.settle() }
  }

  /// Whether everything is written and released, or given up, after ``close()``.
  package var isClosed: Bool { phase == .closed }

  package var isDurable: Bool { true }

  /// The bytes that it took after the last transaction.
  package private(set) var size: Int

  /// Queues an append for the end of the turn.
  package func append(_ append: Append) {
    if let last = append.events.last { now = max(now, last.at) }
    gathered.entries.append(.append(writer.encode(append)))
    gathered.appends.append(append)
  }

  /// Queues a snapshot for the end of the turn.
  package func snapshot(_ state: AggregateState) {
    gathered.entries.append(
      .snapshot(state.aggregate, seq: state.seq, at: now, body: writer.text(of: state)))
  }

  /// Ends a stream; all rows but those of a group or session are erased.
  package func forget(_ aggregate: AggregateID) {
    gathered.entries.append(.forget(aggregate, at: now))
  }

  /// Gives the thread an empty turn after a pause; while it fails, it gets one sooner.
  ///
  /// An earlier pause goes on, so that turns which come meanwhile do not put the empty one off.
  package func measure(after pause: Duration) {
    let deadline = loop.now + pause
    if let retryAt, retryAt <= deadline { return }
    retryAt = deadline
    retryTimer?.fire(at: deadline)
  }

  /// Passes on that the database does not answer, or answers again; callable from any thread.
  var onReachability: @Sendable (_ reason: String?) -> Void {
    { [mailbox] reason in
      mailbox?.post { $0.delegate?.journal($0, isUnreachableBecause: reason) }
    }
  }

  /// Passes on that the database's clock and this machine's differ, or agree again; callable from any
  /// thread.
  var onClockDifference: @Sendable (_ difference: Duration?) -> Void {
    { [mailbox] difference in
      mailbox?.post { $0.delegate?.journal($0, clockIsAheadBy: difference) }
    }
  }

  /// Writes and answers everything queued, then ends the thread; a second call does nothing.
  ///
  /// The loop goes on meanwhile. A thread that does not end in time is given up: it ends with the
  /// process. Nobody is left to answer then; who repeats a request at the next server gets its
  /// answer if it was kept.
  package func close() {
    guard phase == .open else { return }
    phase = .closing
    if let patience {
      farewell = LoopTimer(on: loop) { [weak self] in self?.release() }
      farewell?.fire(at: loop.now + patience)
    }
    settle()
  }
}

@available(*, unavailable)
extension StoredJournal: Sendable {}

extension StoredJournal {
  /// Hands the turn's entries to the thread.
  private func settle() {
    guard !gathered.entries.isEmpty else { return endIfDone() }
    post(gathered.entries, gathered.appends)
    gathered = Gathered()
  }

  private func post(_ entries: [JournalEntry], _ appends: [Append]) {
    lastTurn += 1
    inFlight[lastTurn] = PostedTurn(begin: loop.now, appends: appends)
    store?.post(JournalTurn(number: lastTurn, entries: entries))
  }

  /// Answers the appends of turns that were written or failed, or may have been.
  private func take(_ report: JournalReport) {
    size = report.size
    let turns = report.turns.compactMap { inFlight.removeValue(forKey: $0) }
    if report.failure != failure {
      failure = report.failure
      delegate?.journal(self, isFailingWith: failure)
    }
    delegate?.journalDidMeasure(self)
    tell(turns, report.failure == nil ? .kept : .failed)
    tell(report.unknown.compactMap { inFlight[$0] }, .unknown)
    if let end = report.end {
      if !isReplaced { delegate?.journalIsReplaced(self, because: end) }
      isReplaced = true
    } else if failure != nil {
      measure(after: retryPause)
    }
    endIfDone()
  }

  private func tell(_ turns: [PostedTurn], _ outcome: AppendOutcome) {
    for turn in turns {
      let time = loop.now - turn.begin
      for append in turn.appends {
        delegate?.journal(self, didAppend: append, outcome, after: time)
      }
    }
  }

  /// Gives the thread an empty turn, in which it measures and sees whether writing works.
  private func retry() {
    retryAt = nil
    post([], [])
  }

  /// Tells the thread to end; it reports once it has.
  private func endIfDone() {
    guard phase == .closing, inFlight.isEmpty, gathered.entries.isEmpty else { return }
    phase = .ending
    retryTimer?.close()
    store?.stop()
  }

  /// Releases the loop from a thread that has ended, or that is given up.
  private func release() {
    guard phase != .closed else { return }
    phase = .closed
    farewell?.close()
    retryTimer?.close()
    store?.stop()
    store = nil
    // Reports that have just come are heard.
    mailbox?.close()
    mailbox = nil
    inFlight = [:]
  }
}
