package import Coordination
internal import DequeModule
package import EventLoops
import Vocabulary

/// A journal in a SQLite file, written by a thread of its own.
///
/// Confined to the loop's thread. At the end of each turn of the loop, everything appended during
/// the turn goes to the thread. The thread writes everything waiting as one transaction.
/// Transactions start at least `interval` apart, so that a busy server commits less often and an
/// idle one immediately.
package final class SQLiteJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// The thread that writes the file; `nil` after it closed the file.
  private var store: BatchThread<[JournalEntry]>?
  private var mailbox: LoopMailbox<SQLiteJournal>?
  private var writer = RecordWriter()
  /// What this turn has appended so far.
  private var gathered = Turn()
  /// The turns being written, oldest first.
  ///
  /// The coordinator bounds it: each aggregate has at most one append in flight.
  private var inFlight: Deque<[Append]> = []
  private var failure: String?
  private var isClosing = false
  /// The instant of the last event.
  private var now: Instant

  /// The shortest time between two transactions.
  ///
  /// For one command, a transaction costs both threads several times as much as its rows. At a
  /// thousand commands a second this interval halves that cost. It adds a millisecond to an answer,
  /// less than the best network takes.
  static let interval = Duration.milliseconds(3)

  private struct Turn {
    var entries: [JournalEntry] = []
    var appends: [Append] = []
  }

  /// Continues an opened file.
  ///
  /// - Throws: the system's error if no thread can be started.
  package init(_ file: JournalFile, on loop: EventLoop) throws(UVError) {
    now = file.contents.latest ?? Instant(microseconds: 0)
    let access = file.access
    size = access.size
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    do throws(UVError) {
      store = try BatchThread(every: Self.interval) {
        JournalStore(access) { turnCount, size, failure in
          mailbox.post { $0.finish(turnCount, size, failure) }
        }
      }
    } catch {
      mailbox.close()
      throw error
    }
    loop.atTurnEnd(.settle) { [weak self] in self?.settle() }
  }

  /// Whether the file is closed, after ``close()``.
  var isClosed: Bool { store == nil }

  package var isDurable: Bool { true }

  /// The bytes that the file and its log took after the last transaction.
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

  /// Ends a stream; the rows of a device, person or tray are erased.
  package func forget(_ aggregate: AggregateID) {
    gathered.entries.append(.forget(aggregate, at: now))
  }

  /// Writes and answers everything queued, then closes the file.
  package func close() {
    isClosing = true
    settle()
  }
}

@available(*, unavailable)
extension SQLiteJournal: Sendable {}

extension SQLiteJournal {
  /// Hands the turn's entries to the thread.
  private func settle() {
    guard !gathered.entries.isEmpty else { return closeFileIfDone() }
    store?.post(gathered.entries)
    inFlight.append(gathered.appends)
    gathered = Turn()
  }

  /// Answers the appends of the oldest turns, which were written or failed.
  private func finish(_ turnCount: Int, _ size: Int, _ reason: String?) {
    self.size = size
    let appends = inFlight.prefix(turnCount).joined()
    inFlight.removeFirst(turnCount)
    if (reason == nil) != (failure == nil) {
      failure = reason
      delegate?.journal(self, isFailingWith: reason)
    }
    for append in appends {
      delegate?.journal(self, didAppend: append, reason == nil ? .kept : .failed)
    }
    closeFileIfDone()
  }

  private func closeFileIfDone() {
    guard isClosing, inFlight.isEmpty, gathered.entries.isEmpty, let store else { return }
    self.store = nil
    mailbox?.close()
    mailbox = nil
    store.stop()
    store.join()
  }
}
