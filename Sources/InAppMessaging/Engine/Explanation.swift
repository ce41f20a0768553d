package import Vocabulary

/// Why a person does or does not see a campaign.
package struct Explanation: Equatable, Sendable {
  package var campaign: CampaignID
  /// What came of it when it was last looked at; `nil` if none of its events came, or too long ago.
  package var last: Evaluation?
  /// What its trigger meant, in words; `nil` without a last time.
  package var trigger: String?
  /// What keeps it from the person now, whatever triggers it; `nil` if nothing does.
  package var now: InAppMessage.Refusal?
  /// What decided that, in words.
  package var detail: String?

  /// An explanation.
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
  /// Why the person does or does not see a campaign: what came of it last, and what would now.
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
    guard let bar = bar(to: compiled, at: now, under: conditions) else { return explanation }
    explanation.now = bar.refusal
    explanation.detail = compiled.words(for: bar.clue, at: now)
    return explanation
  }

  private func bar(
    to compiled: CompiledCampaign, at now: Instant, under conditions: MessagingConditions
  ) -> Bar? {
    guard collects, !isPaused else { return Bar(.collectionOff) }
    let draft = MessagingDraft(self, at: now, under: conditions)
    return bar(to: compiled.rule, on: draft.mostRecent { _ in true }, at: now)
      ?? distanceBar(
        to: compiled.rule, of: compiled.campaign.triggers[0].triggerClass,
        after: compiled.campaign.delay, at: now, under: conditions.policy)
  }
}

extension CompiledCampaign {
  fileprivate func words(for clue: Evaluation.Clue?, at now: Instant) -> String? {
    switch clue {
    case .until(let instant): "for \((instant - now).tenthsUp) s more"
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
    case .rolling(let window): "at most \(limit) in \(window.inSeconds) s"
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

extension Duration {
  /// In seconds, up to the next tenth: by then it is over.
  fileprivate var tenthsUp: Double { (inSeconds * 10).rounded(.up) / 10 }
}
