package import Coordination

/// The one door to order and durability: an append-only event stream per aggregate.
///
/// Confined to the loop's thread, as its answers are: a journal with a thread of its own answers
/// through the loop's mailbox.
package protocol Journal: AnyObject {
  /// Hears what became of appends.
  var delegate: (any JournalDelegate)? { get set }

  /// Appends events behind the one numbered `after`, all or none.
  ///
  /// The answer comes to the delegate, perhaps before this returns; an aggregate has at most one
  /// append without an answer.
  func append(_ events: [RecordedEvent], to aggregate: AggregateID, after seq: Int)

  /// Forgets an aggregate that is over.
  func forget(_ aggregate: AggregateID)
}

/// Hears what became of appends.
package protocol JournalDelegate: AnyObject {
  /// An append was answered; see ``AppendOutcome``.
  func journal(_ journal: any Journal, didAppendTo aggregate: AggregateID, _ outcome: AppendOutcome)
}
