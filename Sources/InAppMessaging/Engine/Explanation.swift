package import Vocabulary

/// Why a person does or does not see a campaign.
package struct Explanation: Equatable, Sendable {
  package var campaign: CampaignID
  /// The result of its last evaluation; `nil` if it was never evaluated, or too long ago.
  package var last: Evaluation?
  /// That result in words; `nil` if there is none.
  package var trigger: String?
  /// Why the campaign cannot be shown to this person now; `nil` if it can.
  package var now: InAppMessage.Refusal?
  /// That reason in words.
  package var detail: String?

  package init(
    campaign: CampaignID, last: Evaluation? = nil, trigger: String? = nil,
    now: InAppMessage.Refusal? = nil, detail: String? = nil
  ) {
    self.campaign = campaign
    self.last = last
    self.trigger = trigger
    self.now = now
    self.detail = detail
  }
}

extension UserMessaging {
  /// Explains why the person does or does not see a campaign: its last evaluation, and one made
  /// now.
  ///
  /// - Parameters:
  ///   - id: the campaign.
  ///   - trace: what the person's decisions found.
  ///   - now: the instant to ask for.
  ///   - conditions: as for a command.
  package func explain(
    _ id: CampaignID, _ trace: EvaluationTrace, at now: Instant,
    under conditions: MessagingConditions
  ) -> Explanation {
    let last = trace[id]
    var explanation = Explanation(campaign: id, last: last)
    guard let compiled = conditions.campaigns.compiled(id) else {
      explanation.now = .stopped
      return explanation
    }
    if let trigger = last?.trigger, Int(trigger) < compiled.campaign.triggers.count {
      explanation.trigger = compiled.campaign.triggers[Int(trigger)].words
    }
    guard let ineligibility = ineligibility(to: compiled, at: now, under: conditions) else {
      return explanation
    }
    explanation.now = ineligibility.refusal
    explanation.detail = compiled.words(for: ineligibility.clue, at: now)
    return explanation
  }

  private func ineligibility(
    to compiled: CompiledCampaign, at now: Instant, under conditions: MessagingConditions
  ) -> Ineligibility? {
    guard collects, !isPaused else { return Ineligibility(.collectionOff) }
    let draft = MessagingDraft(self, at: now, under: conditions)
    return ineligibility(to: compiled.rule, on: draft.mostRecent { _ in true }, at: now)
      ?? distanceBar(
        to: compiled.rule, of: compiled.campaign.triggers[0].triggerClass,
        after: compiled.campaign.delay, at: now, under: conditions.policy)
  }
}

extension CompiledCampaign {
  fileprivate func words(for clue: Evaluation.Clue?, at now: Instant) -> String? {
    switch clue {
    case .until(let instant): "for \((instant - now).waitText) more"
    case .place(let place) where campaign.caps.indices.contains(place):
      campaign.caps[place].words
    case .place, .content, nil: nil
    }
  }
}

extension FrequencyCap {
  fileprivate var words: String {
    switch window {
    case .ever: "at most \(limit)"
    case .session: "at most \(limit) in a session"
    case .rolling(let window): "at most \(limit) per \(window.phrase)"
    }
  }
}

extension Trigger {
  fileprivate var words: String {
    switch self {
    case .launch: "launch"
    case .foreground: "foreground"
    case .sessionStart: "session start"
    case .pushOpened(let campaign): "push opened\(campaign.map { " of \($0)" } ?? "")"
    case .purchase(let product, _): "purchase\(product.map { " of \($0)" } ?? "")"
    case .event(let name, _): "event \(name)"
    case .messageClicked(let campaign, let button):
      "click on \(campaign)\(button.map { ", button \($0)" } ?? "")"
    }
  }
}

/// The result of one campaign at one event.
package struct Evaluation: Equatable, Sendable {
  package var campaign: CampaignID
  package var at: Instant
  // In this order it takes 40 bytes.
  package var clue: Clue?
  /// Which of its triggers it was; `nil` if its message failed later.
  package var trigger: UInt8?
  /// Why it was not chosen; `nil` if its message was delivered.
  package var refusal: InAppMessage.Refusal?

  /// What decided.
  package enum Clue: Equatable, Sendable {
    /// The reason holds until this instant.
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

/// The last evaluation of each campaign for one person: why they do not see it (R-40).
///
/// It is in memory only, beside the person's aggregate, while one of their devices is connected,
/// and for the people who left last. A ring of a thousand rows, as vendors' consoles have it, would
/// take twenty times the person's other memory, and people ask for a campaign's last row only.
package struct EvaluationTrace: Equatable, Sendable {
  /// Campaigns that are remembered: 40 bytes each.
  static let limit = 16

  /// The oldest first.
  package private(set) var rows: [Evaluation] = []

  /// Nothing was evaluated yet.
  package init() {}

  /// Notes the evaluations of a decision, in place of earlier ones of the same campaigns.
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

  /// The last evaluation of a campaign.
  package subscript(campaign: CampaignID) -> Evaluation? {
    rows.last { $0.campaign == campaign }
  }
}
