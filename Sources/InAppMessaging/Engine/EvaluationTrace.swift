package import Vocabulary

/// What came of one campaign at one event.
package struct Evaluation: Equatable, Sendable {
  package var campaign: CampaignID
  package var at: Instant
  // In this order it takes 40 bytes.
  package var clue: Clue?
  /// Which of its triggers it was; `nil` where its message came to nothing later.
  package var trigger: UInt8?
  /// Why not; `nil` if its message was sent on its way.
  package var refusal: InAppMessage.Refusal?

  /// What decided.
  package enum Clue: Equatable, Sendable {
    /// It lasts until that instant.
    case until(Instant)
    /// The place of the filter, the cap or the template's text that decided, from 0; of a filter also
    /// -1, where it was another product, push or button.
    case place(Int)
    /// What is wrong with the message that its templates made.
    case content(ContentFault.Sort)
  }

  /// An evaluation.
  package init(
    campaign: CampaignID, at: Instant, trigger: UInt8? = nil,
    refusal: InAppMessage.Refusal? = nil, clue: Clue? = nil
  ) {
    self.campaign = campaign
    self.at = at
    self.trigger = trigger
    self.refusal = refusal
    self.clue = clue
  }
}

/// The last evaluation of each campaign for one person: why they do not see it.
///
/// In memory only, beside the person's aggregate, for as long as one of their devices is there, and of
/// those who left last. A ring of a thousand rows, as vendors' consoles have it, would take twenty
/// times what is known of the person otherwise; and the last row of a campaign is the one that is
/// asked for.
package struct EvaluationTrace: Equatable, Sendable {
  /// Campaigns that are remembered: 40 bytes each.
  static let limit = 16

  /// The oldest first.
  package private(set) var rows: [Evaluation] = []

  /// Nothing was evaluated yet.
  package init() {}

  /// Writes down what a decision found, in place of what was known of the same campaigns.
  package mutating func note(_ evaluations: [Evaluation]) {
    guard !evaluations.isEmpty else { return }
    if evaluations.count >= Self.limit, Self.areDistinct(evaluations) {
      // Nothing of before is left: most events that many campaigns wait for come here.
      let isFull = evaluations.count == Self.limit
      rows = isFull ? evaluations : evaluations.suffix(Self.limit)
      return
    }
    rows.removeAll { row in evaluations.contains { $0.campaign == row.campaign } }
    for (place, evaluation) in evaluations.enumerated()
    where !evaluations[(place + 1)...].contains(where: { $0.campaign == evaluation.campaign }) {
      rows.makeRoom()
      rows.append(evaluation)
    }
    rows.removeFirst(max(0, rows.count - Self.limit))
  }

  /// Whether each is of another campaign; rows of one campaign stand next to each other mostly, but
  /// need not.
  private static func areDistinct(_ evaluations: [Evaluation]) -> Bool {
    let span = evaluations.span
    for place in span.indices {
      for other in 0..<place where span[other].campaign == span[place].campaign { return false }
    }
    return true
  }

  /// What came of a campaign when it was last looked at.
  package subscript(campaign: CampaignID) -> Evaluation? {
    rows.last { $0.campaign == campaign }
  }
}
