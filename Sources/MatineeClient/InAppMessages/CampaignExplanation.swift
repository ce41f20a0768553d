public import InAppMessaging
public import Vocabulary

/// An explanation of why the person does or does not see a campaign.
public struct CampaignExplanation: Hashable, Sendable, Identifiable {
  /// The campaign's id.
  public let id: CampaignID
  /// Why the campaign cannot be shown to this person now; `nil` if it can.
  public let refusal: InAppMessage.Refusal?
  /// The rule that decided this, in English, such as `at most 1 in a session`.
  public let detail: String?
  /// The last evaluation; `nil` if none of its events came recently.
  public let last: Evaluation?

  /// The result of evaluating a campaign for one of its events.
  public struct Evaluation: Hashable, Sendable {
    /// When it was evaluated, in the group's time.
    public let at: Instant
    /// What triggered the evaluation, in English, such as `event SharePlay Event`.
    public let trigger: String?
    /// Why the message was not sent; `nil` if it was.
    public let refusal: InAppMessage.Refusal?
    /// When the refusal ends by itself; `nil` if it does not.
    public let until: Instant?
    /// The index of the filter, cap or text that decided, from 0; `nil` if none did.
    ///
    /// -1 means that the product, the push or the button did not match.
    public let place: Int?
    /// What is wrong with the message that the templates made, in English; `nil` if that did not
    /// decide.
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
