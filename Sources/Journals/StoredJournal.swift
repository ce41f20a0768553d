package import Coordination
import EventLoops
import Vocabulary

/// A journal that a thread of its own writes, to a file or to PostgreSQL.
///
/// Confined to the loop's thread. At the end of each turn of the loop, everything appended during
/// the turn goes to the thread. The thread writes everything waiting as one transaction.
package final class StoredJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// The thread that writes; `nil` after it has closed the file or the connection.
  private var store: BatchThread<JournalTurn>?
  private var mailbox: LoopMailbox<StoredJournal>?
  private var writer = RecordWriter()
  /// What this turn has appended so far.
  private var gathered = Gathered()
  /// The appends of the turns being written, by the turn's number.
  ///
  /// The coordinator bounds them: each aggregate has at most one append in flight.
  private var inFlight: [Int: [Append]] = [:]
  private var lastTurn = 0
  private var failure: String?
  private var isReplaced = false
  /// Until when it waits for the thread to write again, once it closes.
  private var closingDeadline: HostTime?
  /// The instant of the last event.
  private var now: Instant
  /// Lets the thread try again while it fails.
  private var retryTimer: LoopTimer?
  private let retryPause: Duration
  private let loop: EventLoop

  private struct Gathered {
    var entries: [JournalEntry] = []
    var appends: [Append] = []
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - contents: what the journal held when it was opened.
  ///   - size: the bytes that it takes.
  ///   - interval: the shortest time between two transactions.
  ///   - retryPause: how long after a failure the thread gets an empty turn, if nothing else comes.
  ///   - loop: the loop that appends.
  ///   - makeStore: makes the writer on the new thread, with the function that takes its reports.
  /// - Throws: the system's error if no thread can be started.
  init<Store: BatchConsumer>(
    after contents: JournalContents, size: Int, every interval: Duration,
    retryingAfter retryPause: Duration, on loop: EventLoop,
    _ makeStore:
      @escaping @Sendable (_ report: @escaping @Sendable (JournalReport) -> Void) -> Store
  ) throws(UVError) where Store.Item == JournalTurn {
    now = contents.latest ?? Instant(microseconds: 0)
    self.size = size
    self.retryPause = retryPause
    self.loop = loop
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    do throws(UVError) {
      store = try BatchThread(every: interval) {
        makeStore { report in mailbox.post { $0.take(report) } }
      }
    } catch {
      mailbox.close()
      throw error
    }
    retryTimer = LoopTimer(on: loop) { [weak self] in self?.retry() }
    loop.atTurnEnd(.settle) { [weak self] in self?.settle() }
  }

  /// Whether everything is written and released, after ``close()``.
  var isClosed: Bool { store == nil }

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

  /// Writes and answers everything queued, then ends the thread.
  ///
  /// While writing fails, it waits for some seconds only, for an operator who stops the server waits,
  /// too. Nobody is left to answer then; whoever repeats a request at the next server gets its answer
  /// if it was kept.
  package func close() {
    closingDeadline = closingDeadline ?? loop.now + Self.closingPatience
    settle()
  }

  /// As long as a database that is restarted takes to come back.
  private static let closingPatience = Duration.seconds(5)
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
    inFlight[lastTurn] = appends
    store?.post(JournalTurn(number: lastTurn, entries: entries))
  }

  /// Answers the appends of turns that were written or failed.
  private func take(_ report: JournalReport) {
    size = report.size
    let appends = report.turns.compactMap { inFlight.removeValue(forKey: $0) }.joined()
    if report.failure != failure {
      failure = report.failure
      delegate?.journal(self, isFailingWith: failure)
    }
    for append in appends {
      delegate?.journal(self, didAppend: append, report.failure == nil ? .kept : .failed)
    }
    if report.isReplaced {
      if !isReplaced { delegate?.journalIsReplaced(self) }
      isReplaced = true
    } else if failure != nil {
      if let closingDeadline, closingDeadline <= loop.now { inFlight = [:] }
      retryTimer?.fire(at: loop.now + retryPause)
    }
    endIfDone()
  }

  /// Gives the thread an empty turn, in which it sees whether writing works again.
  private func retry() {
    post([], [])
  }

  private func endIfDone() {
    guard closingDeadline != nil, inFlight.isEmpty, gathered.entries.isEmpty, let store else {
      return
    }
    self.store = nil
    retryTimer?.close()
    retryTimer = nil
    mailbox?.close()
    mailbox = nil
    store.stop()
    store.join()
  }
}
