package import Coordination
package import EventLoops

/// The one door to order and durability: an append-only event stream per aggregate.
///
/// Confined to the loop's thread, and so are its answers: a journal with a thread of its own
/// answers through the loop's mailbox.
package protocol Journal: AnyObject {
  /// Receives the outcome of each append.
  var delegate: (any JournalDelegate)? { get set }

  /// Whether the contents survive the end of the server's process.
  var isDurable: Bool { get }

  /// The bytes that it takes on the disk; 0 if it stores nothing there.
  var size: Int { get }

  /// Appends a batch, all or nothing; appends to one aggregate are stored in call order.
  ///
  /// The delegate receives the outcome, possibly before this call returns.
  func append(_ append: Append)

  /// Stores a snapshot of an aggregate, so that a start does not read the events before it.
  func snapshot(_ state: AggregateState)

  /// Ends an aggregate's stream; the next append under the same name begins a new one.
  func forget(_ aggregate: AggregateID)

  /// Measures its size once more after a pause, even if nothing is written until then.
  ///
  /// A database takes a while until it gives back the room of what was erased.
  func measure(after pause: Duration)

  /// Stores and answers everything handed over so far, then releases the loop.
  func close()
}

/// Receives the outcomes of a journal.
package protocol JournalDelegate: AnyObject {
  /// Reports the outcome of one append, and how long it took; after `unknown`, another one follows.
  func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome,
    after time: Duration)

  /// Reports that writes fail, with the reason, or work again (`nil`); called when that changes.
  func journal(_ journal: any Journal, isFailingWith reason: String?)

  /// Reports that the database does not answer, with the reason, or answers again (`nil`), also while
  /// nothing is written; called when that changes.
  func journal(_ journal: any Journal, isUnreachableBecause reason: String?)

  /// Reports how far the database's time of day is ahead of this machine's, or that they agree (`nil`);
  /// called when that changes.
  func journal(_ journal: any Journal, clockIsAheadBy difference: Duration?)

  /// Reports that the size was measured; called after each transaction, whatever it wrote.
  func journalDidMeasure(_ journal: any Journal)

  /// Reports, once, that this server cannot go on with the journal, with the reason: another server
  /// has it, or it has lost what this one has written; every later append fails.
  func journalIsReplaced(_ journal: any Journal, because reason: String)
}

/// A journal that stores nothing.
///
/// It reports every append as kept at once: with one server, no other writer can have been first.
package final class MemoryJournal: Journal {
  package weak var delegate: (any JournalDelegate)?

  package init() {}

  /// Nothing survives the end of the process.
  package var isDurable: Bool { false }

  /// Nothing is on the disk.
  package var size: Int { 0 }

  /// Reports the append as kept.
  package func append(_ append: Append) {
    delegate?.journal(self, didAppend: append, .kept, after: .zero)
  }

  /// Does nothing: no start ever reads a snapshot from here.
  package func snapshot(_ state: AggregateState) {}

  /// Does nothing: there is nothing to forget.
  package func forget(_ aggregate: AggregateID) {}

  /// Does nothing: the size does not change.
  package func measure(after pause: Duration) {}

  /// Does nothing: there is nothing to release.
  package func close() {}
}

@available(*, unavailable)
extension MemoryJournal: Sendable {}

/// Why a journal cannot be opened: where, what is wrong, and what to do.
package enum JournalError: Error, Equatable, CustomStringConvertible {
  /// Another process has it open for writing.
  case inUse(path: String, by: Int?)
  /// Another server has it, in a database.
  case served(path: String)
  /// A newer Matinee wrote it.
  case newer(path: String)
  /// An older Matinee wrote the file; only a server brings it up to date.
  case older(path: String)
  /// The file is no journal, or is damaged beyond reading.
  case unreadable(path: String, reason: String)
  /// An import needs an empty journal, and this one holds data.
  case notEmpty(path: String)
  /// The system denies reading or writing.
  case failed(path: String, reason: String)
  /// The database cannot be reached, or refuses.
  case unavailable(path: String, reason: String)
  /// The database has no tables for a journal, or those of an older Matinee.
  case unmigrated(path: String, isNew: Bool)
  /// The database has tables for a journal, but not what always stands in them.
  case incomplete(path: String)

  package var description: String {
    switch self {
    case .inUse(let path, let holder):
      "the journal \(path) is in use by \(holder.map { "process \($0)" } ?? "another process"); "
        + "stop that server, or choose another journal with --journal"
    case .served(let path):
      "another server has the journal \(path); stop it first (a server can wait for it with "
        + "serve --standby)"
    case .newer(let path):
      "a newer Matinee wrote the journal \(path); run that one, or choose another journal"
    case .older(let path):
      "an older Matinee wrote the journal \(path); read it with that one, or let matinee serve bring a "
        + "copy up to date"
    case .unreadable(let path, let reason):
      "the journal \(path) cannot be read: \(reason)"
    case .notEmpty(let path):
      "the journal \(path) is not empty; choose a new one with --journal"
    case .failed(let path, let reason):
      "the journal \(path) cannot be opened: \(reason); check the directory and its permissions"
    case .unavailable(let path, let reason):
      "the journal \(path) cannot be used: \(reason); check the address, the password, and whether "
        + "PostgreSQL runs there and has a connection left (max_connections)"
    case .unmigrated(let path, let isNew):
      (isNew
        ? "there is no journal in \(path)" : "an older Matinee made the journal \(path)")
        + "; run matinee journal migrate --journal with this address"
    case .incomplete(let path):
      "the journal in \(path) is not whole; is a restore under way? Try again when it has ended"
    }
  }
}

/// A journal that is open for one server, and read.
package protocol OpenedJournal: Sendable {
  /// What it held when it was opened.
  var contents: JournalContents { get }

  /// Ties the group's time to this boot of the machine.
  func tie(_ clock: ClockTie) throws(JournalError)

  /// Continues it.
  ///
  /// - Throws: the system's error if no thread can be started.
  func journal(on loop: EventLoop) throws(UVError) -> StoredJournal
}
