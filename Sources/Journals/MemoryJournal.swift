package import Coordination

/// A journal for one server that remembers nothing over its end: it answers at once.
package final class MemoryJournal: Journal {
  package weak var delegate: (any JournalDelegate)?
  /// How many events each live aggregate has; enough to hold every append to its place.
  private var counts: [AggregateID: Int] = [:]

  /// An empty journal.
  package init() {}

  /// Keeps the events; with one server nobody can be first, so anything else is a bug of ours.
  package func append(_ events: [RecordedEvent], to aggregate: AggregateID, after seq: Int) {
    let count = counts[aggregate, default: 0]
    precondition(count == seq, "\(aggregate) has \(count) events, not \(seq)")
    counts[aggregate] = count + events.count
    delegate?.journal(self, didAppendTo: aggregate, .kept)
  }

  /// Forgets how many events an aggregate had.
  package func forget(_ aggregate: AggregateID) {
    counts[aggregate] = nil
  }
}

@available(*, unavailable)
extension MemoryJournal: Sendable {}
