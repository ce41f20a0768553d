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
