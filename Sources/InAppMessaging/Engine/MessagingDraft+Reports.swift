internal import Vocabulary

/// Clients' reports on deliveries.
extension MessagingDraft {
  mutating func report(_ report: MessageReport, of id: MessageID, _ identity: EventIdentity?) {
    guard isNew(identity) else { return }
    if let identity { record(.logged(identity, isLate: isAway)) }
    if let delivery = user.delivery(id) {
      guard delivery.device != nil else { return }
      apply(report, to: delivery)
    } else if let delivery = user.lapsed.first(where: { $0.id == id }) {
      applyLate(report, to: delivery)
    }
  }

  private mutating func apply(_ report: MessageReport, to delivery: Delivery) {
    let id = delivery.id
    switch report {
    case .waiting:
      if case .waiting = delivery.phase { return }
      record(.waiting(id))
    case .started:
      if case .started = delivery.phase { return }
      record(.started(id))
      replaceOlder(than: delivery)
    case .impression:
      see(delivery)
      replaceOlder(than: delivery)
      if delivery.isControl { record(.ended(id, .control)) }
    case .clicked(let button):
      see(delivery)
      click(delivery, button)
    case .dismissed(let reason):
      if !delivery.isSeen, !delivery.isTest, !delivery.isControl {
        carryOut(.warn(.impressionMissing(id, delivery.campaign)))
      }
      record(.ended(id, delivery.outcome(dismissedBy: reason)))
    case .refused(let refusal): refuse(delivery, refusal)
    }
  }

  /// A session is watched on one device: a newer message of it ends the older one, even without a
  /// report of its client.
  private mutating func replaceOlder(than new: Delivery) {
    guard new.isSessionBound, !new.isTest, let device = new.device else { return }
    for delivery in user.deliveries
    where delivery.campaign == new.campaign && delivery.id != new.id && !delivery.isTest
      && delivery.cause.session == new.cause.session && delivery.phase == .started(on: device)
    {
      record(.ended(delivery.id, .presented(dismissedBy: .replaced)))
    }
  }

  /// The client was away too long, but the person's actions still count.
  private mutating func applyLate(_ report: MessageReport, to delivery: Delivery) {
    switch report {
    case .waiting, .started: break
    case .impression: see(delivery)
    case .clicked(let button):
      see(delivery)
      if !delivery.isClicked { record(.clicked(delivery.id, button: button)) }
    case .dismissed(let reason):
      record(.ended(delivery.id, delivery.outcome(dismissedBy: reason)))
    case .refused(let refusal): refuse(delivery, refusal)
    }
  }

  private mutating func see(_ delivery: Delivery) {
    guard !delivery.isSeen else { return }
    if !delivery.isTest { guard makeRoom(for: delivery.campaign) else { return } }
    record(.impression(delivery.id))
  }

  private mutating func refuse(_ delivery: Delivery, _ refusal: InAppMessage.Refusal) {
    note(delivery.campaign, Ineligibility(refusal))
    if refusal == .choice, !delivery.isTest, !delivery.isSeen {
      _ = makeRoom(for: delivery.campaign)
    }
    record(.ended(delivery.id, .refused(refusal)))
  }

  /// A page may be clicked often, any other message once; each click may trigger a campaign.
  private mutating func click(_ delivery: Delivery, _ button: String?) {
    let message = campaigns.compiled(delivery.campaign)?.message(of: delivery.variant)
    guard !delivery.isClicked || message?.kind == .html else { return }
    record(.clicked(delivery.id, button: button))
    guard !delivery.isTest, user.collects, !user.isPaused else { return }
    evaluate(
      .clicked(delivery.campaign, button: button),
      Delivery.Cause(
        event: nil, triggerClass: .contextual, at: now, device: delivery.device,
        session: delivery.cause.session))
  }

  /// If the history is full, forgets the campaign that no longer exists and was seen longest ago.
  ///
  /// - Returns: whether there is room; there is none for a late report of a campaign that no longer
  /// exists while all others do.
  private mutating func makeRoom(for campaign: CampaignID) -> Bool {
    guard user.history.last(of: campaign) == nil, user.history.count >= CampaignLimits.campaigns
    else {
      return true
    }
    var gone: (campaign: CampaignID, last: Instant)?
    for campaign in user.history.campaigns where campaigns.compiled(campaign) == nil {
      guard let last = user.history.last(of: campaign), gone.map({ last < $0.last }) ?? true else {
        continue
      }
      gone = (campaign, last)
    }
    guard let gone else { return false }
    record(.forgotten(gone.campaign))
    return true
  }
}

extension CompiledCampaign {
  fileprivate func message(of variant: String) -> InAppMessage? {
    campaign.variants.firstIndex { $0.id == variant }.flatMap { messages[$0]?.message }
  }
}
