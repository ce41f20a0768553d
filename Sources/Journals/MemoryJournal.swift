package import Coordination

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
