package import Coordination

/// A journal for one server that remembers nothing, not even until the server's end.
///
/// It answers at once, and always that the events are kept: where there is one server, nobody else
/// can have been first.
package final class MemoryJournal: Journal {
  package weak var delegate: (any JournalDelegate)?

  /// An empty journal.
  package init() {}

  /// Answers that the events are kept.
  package func append(_ events: [RecordedEvent], to aggregate: AggregateID, after seq: Int) {
    delegate?.journal(self, didAppendTo: aggregate, .kept)
  }

  /// Has nothing to forget.
  package func forget(_ aggregate: AggregateID) {}
}

@available(*, unavailable)
extension MemoryJournal: Sendable {}
