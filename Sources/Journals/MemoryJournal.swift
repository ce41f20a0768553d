package import Coordination

/// A journal for one server that remembers nothing over its end: it answers at once.
package final class MemoryJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// How many events each live aggregate has; enough to hold every append to its place.
  private var counts: [AggregateID: Int] = [:]

  /// An empty journal.
  package init() {}

  /// What it keeps ends with the process.
  package var isDurable: Bool { false }

  /// Keeps the events; with one server nobody can be first, so anything else is a bug of ours.
  package func append(_ append: Append) {
    let count = counts[append.aggregate, default: 0]
    precondition(
      count == append.after, "\(append.aggregate) has \(count) events, not \(append.after)")
    if !append.events.isEmpty { counts[append.aggregate] = count + append.events.count }
    delegate?.journal(self, didAppend: append, .kept)
  }

  /// Nobody will ever read it.
  package func snapshot(_ state: AggregateState) {}

  /// Forgets how many events an aggregate had.
  package func forget(_ aggregate: AggregateID) {
    counts[aggregate] = nil
  }

  /// Holds nothing to let go of.
  package func close() {}
}

@available(*, unavailable)
extension MemoryJournal: Sendable {}
