package import Coordination
package import EventLoops
import Vocabulary

/// A journal in a SQLite file, written by a thread of its own.
///
/// Confined to the loop's thread. What a turn of the loop hands over is one transaction; while one
/// is being written, what comes meanwhile gathers for the next, and a batch follows another no sooner
/// than ``interval``: so a busy server commits less often, and an idle one at once.
package final class SQLiteJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  private let loop: EventLoop
  private let store: LoopThread<JournalStore>
  private var mailbox: LoopMailbox<SQLiteJournal>?
  private var writer = RecordWriter()
  /// What was handed over since the last batch left.
  private var gathered = Batch()
  /// The batch that is being written; `nil` while none is.
  private var inFlight: Batch?
  private var failure: String?
  private var isClosing = false
  /// When the last batch left.
  private var lastDeparture = HostTime(microseconds: 0)
  /// Wakes the loop for a batch that had to wait.
  private var timer: LoopTimer?
  /// The instant of the last event.
  private var now: Instant

  /// The shortest time from one batch to the next.
  ///
  /// A batch of one costs the two threads several times what its rows do; at a thousand commands a
  /// second this halves the batches, and adds a millisecond to an answer, which is less than the
  /// best network takes. libuv's timers count in milliseconds.
  static let interval = Duration.milliseconds(2)

  private struct Batch {
    var entries: [JournalEntry] = []
    var appends: [Append] = []
  }

  /// Goes on writing a file that was opened.
  ///
  /// - Throws: the system's error if there can be no thread for it.
  package init(_ file: JournalFile, on loop: EventLoop) throws(UVError) {
    now = file.contents.latest ?? Instant(microseconds: 0)
    self.loop = loop
    let access = file.access
    store = try LoopThread { (_) throws(UVError) in JournalStore(access) }
    mailbox = try LoopMailbox(on: loop, context: self)
    // All that it has to do is end a turn.
    timer = LoopTimer(on: loop) {}
    loop.atTurnEnd(.settle) { [weak self] in self?.settle() }
  }

  /// Whether it let go of the file, after ``close()``.
  var isClosed: Bool { mailbox == nil }

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

  /// Ends a stream; that of a device is erased.
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
  /// Sends off what has gathered, unless a batch is still being written or has just left.
  private func settle() {
    guard inFlight == nil else { return }
    guard !gathered.entries.isEmpty else { return letGoIfClosing() }
    let now = loop.now
    guard isClosing || now >= lastDeparture + Self.interval else {
      timer?.fire(at: lastDeparture + Self.interval)
      return
    }
    lastDeparture = now
    let entries = gathered.entries
    inFlight = gathered
    gathered = Batch()
    guard let mailbox else { return }
    store.mailbox.post { store in
      let failure = store.keep(entries)
      mailbox.post { $0.finish(failure) }
    }
  }

  private func finish(_ reason: String?) {
    let batch = inFlight ?? Batch()
    inFlight = nil
    if (reason == nil) != (failure == nil) {
      failure = reason
      delegate?.journal(self, isFailingWith: reason)
    }
    for append in batch.appends {
      delegate?.journal(self, didAppend: append, reason == nil ? .kept : .failed)
    }
    letGoIfClosing()
  }

  private func letGoIfClosing() {
    guard isClosing, inFlight == nil, gathered.entries.isEmpty, let mailbox else { return }
    self.mailbox = nil
    timer?.close()
    mailbox.close()
    store.mailbox.post { $0.close() }
    store.stop()
    store.join()
  }
}
