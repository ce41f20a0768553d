package import Coordination

/// The one door to order and durability: an append-only event stream per aggregate.
///
/// Confined to the loop's thread, as its answers are: a journal with a thread of its own answers
/// through the loop's mailbox.
package protocol Journal: AnyObject {
  /// Hears what became of appends.
  var delegate: (any JournalDelegate)? { get set }

  /// Whether what is kept outlives the server.
  var isDurable: Bool { get }

  /// Keeps an append, all or none of it; appends to one aggregate are kept in their order.
  ///
  /// The answer comes to the delegate, perhaps before this returns.
  func append(_ append: Append)

  /// Keeps an aggregate as it is now, so that a start need not read what went before.
  func snapshot(_ state: AggregateState)

  /// An aggregate is over: what is appended to its name from here on begins a stream anew.
  func forget(_ aggregate: AggregateID)

  /// Answers what it was given so far, and lets go of the loop.
  func close()
}

/// Hears what became of appends.
package protocol JournalDelegate: AnyObject {
  /// An append was answered; see ``AppendOutcome``.
  func journal(_ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome)

  /// Writing fails, for this reason, or works again (`nil`); told once a change.
  func journal(_ journal: any Journal, isFailingWith reason: String?)
}

/// A journal for one server that remembers nothing, not even until the server's end.
///
/// It answers at once, and always that the events are kept: where there is one server, nobody else
/// can have been first.
package final class MemoryJournal: Journal {
  package weak var delegate: (any JournalDelegate)?

  /// An empty journal.
  package init() {}

  /// What it keeps ends with the process.
  package var isDurable: Bool { false }

  /// Answers that the events are kept.
  package func append(_ append: Append) {
    delegate?.journal(self, didAppend: append, .kept)
  }

  /// Nobody will ever read it.
  package func snapshot(_ state: AggregateState) {}

  /// Has nothing to forget.
  package func forget(_ aggregate: AggregateID) {}

  /// Holds nothing to let go of.
  package func close() {}
}

@available(*, unavailable)
extension MemoryJournal: Sendable {}

/// A journal that cannot be opened: where, why, and what to do.
package enum JournalError: Error, Equatable, CustomStringConvertible {
  /// Another process writes to it.
  case inUse(path: String, by: Int?)
  /// A newer Matinee made it.
  case newer(path: String)
  /// It is no journal, or damaged beyond reading.
  case unreadable(path: String, reason: String)
  /// It is to be filled, and holds something already.
  case notEmpty(path: String)
  /// The system does not let it be read or written.
  case failed(path: String, reason: String)

  package var description: String {
    switch self {
    case .inUse(let path, let holder):
      "the journal \(path) is in use by \(holder.map { "process \($0)" } ?? "another process"); "
        + "stop that server, or choose another file with --journal sqlite:PATH"
    case .newer(let path):
      "a newer Matinee wrote the journal \(path); run that one, or choose another file"
    case .unreadable(let path, let reason):
      "the journal \(path) cannot be read: \(reason)"
    case .notEmpty(let path):
      "the journal \(path) is not empty; choose a new file with --journal sqlite:PATH"
    case .failed(let path, let reason):
      "the journal \(path) cannot be opened: \(reason); check the directory and its permissions"
    }
  }
}
