public import InAppMessaging
public import Vocabulary

/// Why the person does or does not see a campaign.
public struct CampaignExplanation: Hashable, Sendable, Identifiable {
  /// The campaign.
  public let id: CampaignID
  /// What keeps it from the person now, whatever triggers it; `nil` if nothing does.
  public let refusal: InAppMessage.Refusal?
  /// What decided that, in English, such as `at most 1 in a session`.
  public let detail: String?
  /// What came of it when it was last looked at; `nil` if none of its events came lately.
  public let last: Evaluation?

  /// What came of a campaign when one of its events came.
  public struct Evaluation: Hashable, Sendable {
    /// When, in the group's time.
    public let at: Instant
    /// What brought it up, in English, such as `event SharePlay Event`.
    public let trigger: String?
    /// Why not; `nil` if its message was sent on its way.
    public let refusal: InAppMessage.Refusal?
    /// Until when that lasts, where it ends by itself.
    public let until: Instant?
    /// Which of its filters, caps or texts decided, from 0, where one did; -1 is that the product,
    /// the push or the button was another.
    public let place: Int?
    /// What is wrong with the message that its templates made, in English, where that decided.
    public let fault: String?
  }

  init(_ explanation: Explanation) {
    id = explanation.campaign
    refusal = explanation.now
    detail = explanation.detail
    last = explanation.last.map { Evaluation($0, trigger: explanation.trigger) }
  }
}

extension CampaignExplanation.Evaluation {
  fileprivate init(_ evaluation: InAppMessaging.Evaluation, trigger: String?) {
    at = evaluation.at
    self.trigger = trigger
    refusal = evaluation.refusal
    switch evaluation.clue {
    case .until(let instant): (until, place, fault) = (instant, nil, nil)
    case .place(let number): (until, place, fault) = (nil, number, nil)
    case .content(let sort): (until, place, fault) = (nil, nil, sort.words)
    case nil: (until, place, fault) = (nil, nil, nil)
    }
  }
}
