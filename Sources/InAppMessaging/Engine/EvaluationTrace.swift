package import Vocabulary

/// What came of one campaign at one event.
package struct Evaluation: Equatable, Sendable {
  package var campaign: CampaignID
  package var at: Instant
  /// Which of its triggers it was; `nil` where its message came to nothing later.
  package var trigger: UInt8?
  /// Why not; `nil` if its message was sent on its way.
  package var refusal: InAppMessage.Refusal?
  package var clue: Clue?

  /// What decided.
  package enum Clue: Equatable, Sendable {
    /// It lasts until that instant.
    case until(Instant)
    /// The place of the filter, the cap or the template's text that decided, from 0.
    case place(Int)
  }
}

/// The last evaluation of each campaign for one person: why they do not see it.
///
/// In memory only, beside the person's aggregate, and bounded by ``MessagingPolicy/explainedCampaigns``.
/// A ring of a thousand rows, as vendors' consoles have it, would take twenty times what is known of
/// the person otherwise, and the last row of a campaign is the one that is asked for.
package struct EvaluationTrace: Equatable, Sendable {
  /// The oldest first.
  package private(set) var rows: [Evaluation] = []

  /// Nothing was evaluated yet.
  package init() {}
}
