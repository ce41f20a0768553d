package import Coordination
internal import DequeModule
package import EventLoops
import Vocabulary

/// A journal in a SQLite file, written by a thread of its own.
///
/// Confined to the loop's thread. What a turn of the loop hands over leaves at its end, and what the
/// thread finds handed over is one transaction. One follows another no sooner than ``interval``: so a
/// busy server commits less often, and an idle one at once.
package final class SQLiteJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// Takes what each turn handed over; `nil` once it let go of the file.
  private var store: BatchThread<[JournalEntry]>?
  private var mailbox: LoopMailbox<SQLiteJournal>?
  private var writer = RecordWriter()
  /// What was handed over in this turn.
  private var gathered = Turn()
  /// What is being written, turn by turn, oldest first.
  ///
  /// The coordinator bounds it: an aggregate has one append under way.
  private var inFlight: Deque<[Append]> = []
  private var failure: String?
  private var isClosing = false
  /// The instant of the last event.
  private var now: Instant

  /// The shortest time from one transaction to the next.
  ///
  /// A transaction of one costs the two threads several times what its rows do; at a thousand
  /// commands a second this halves them, and adds a millisecond to an answer, which is less than
  /// the best network takes.
  static let interval = Duration.milliseconds(3)

  private struct Turn {
    var entries: [JournalEntry] = []
    var appends: [Append] = []
  }

  /// Goes on writing a file that was opened.
  ///
  /// - Throws: the system's error if there can be no thread for it.
  package init(_ file: JournalFile, on loop: EventLoop) throws(UVError) {
    now = file.contents.latest ?? Instant(microseconds: 0)
    let access = file.access
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    do throws(UVError) {
      store = try BatchThread(every: Self.interval) {
        JournalStore(access) { turnCount, failure in
          mailbox.post { $0.finish(turnCount, failure) }
        }
      }
    } catch {
      mailbox.close()
      throw error
    }
    loop.atTurnEnd(.settle) { [weak self] in self?.settle() }
  }

  /// Whether it let go of the file, after ``close()``.
  var isClosed: Bool { store == nil }

  /// What it keeps outlives the process.
  package var isDurable: Bool { true }

  /// Takes an append in, to be kept at the end of the turn.
  package func append(_ append: Append) {
    if let last = append.events.last { now = max(now, last.at) }
    gathered.entries.append(.append(writer.encode(append)))
    gathered.appends.append(append)
  }

  /// Takes a state in, to be kept at the end of the turn.
  package func snapshot(_ state: AggregateState) {
    gathered.entries.append(
      .snapshot(state.aggregate, seq: state.seq, at: now, body: writer.text(of: state)))
  }

  /// Ends a stream; that of a device or a person is erased.
  package func forget(_ aggregate: AggregateID) {
    gathered.entries.append(.forget(aggregate, at: now))
  }

  /// Keeps and answers what was taken in, and closes the file.
  package func close() {
    isClosing = true
    settle()
  }
}

@available(*, unavailable)
extension SQLiteJournal: Sendable {}

extension SQLiteJournal {
  /// Hands over what the turn gathered.
  private func settle() {
    guard !gathered.entries.isEmpty else { return letGoIfClosing() }
    store?.post(gathered.entries)
    inFlight.append(gathered.appends)
    gathered = Turn()
  }

  /// Hears that the oldest turns were kept, or why they were not.
  private func finish(_ turnCount: Int, _ reason: String?) {
    let appends = inFlight.prefix(turnCount).joined()
    inFlight.removeFirst(turnCount)
    if (reason == nil) != (failure == nil) {
      failure = reason
      delegate?.journal(self, isFailingWith: reason)
    }
    for append in appends {
      delegate?.journal(self, didAppend: append, reason == nil ? .kept : .failed)
    }
    letGoIfClosing()
  }

  private func letGoIfClosing() {
    guard isClosing, inFlight.isEmpty, gathered.entries.isEmpty, let store else { return }
    self.store = nil
    mailbox?.close()
    mailbox = nil
    store.stop()
    store.join()
  }
}
