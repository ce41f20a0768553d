internal import Vocabulary

/// A campaign with its expressions, its audience and its texts read.
struct CompiledCampaign: Equatable, Sendable {
  let campaign: Campaign
  let audience: AudienceCondition
  /// Whether the audience asks anything of the device.
  let dependsOnDevice: Bool
  /// The filters of each trigger.
  let filters: [[Condition]]
  /// What each variant shows; `nil` for a control.
  let messages: [MessageTemplate?]
  /// The weights added up.
  let totalWeight: UInt64
  /// How many impressions the caps look at.
  let remembered: Int

  /// Whether an event meets a trigger's own terms and filters; otherwise which filter it does not,
  /// or -1.
  func unmetFilter(of trigger: Int, for event: TriggeringEvent) -> Int? {
    let properties: [String: PropertyValue]
    switch (campaign.triggers[trigger], event) {
    case (.launch, _), (.foreground, _), (.sessionStart, _): return nil
    case (.pushOpened(let wanted), .app(.pushOpened(let campaign), _)):
      return wanted == nil || wanted == campaign ? nil : -1
    case (.messageClicked(_, let wanted), .clicked(_, let button)):
      return wanted == nil || wanted == button ? nil : -1
    case (.purchase(let wanted, _), .app(.purchase(let product, let given), _)):
      guard wanted == nil || wanted == product else { return -1 }
      properties = given
    case (.event, .app(.event(_, let given), _)): properties = given
    default: return -1
    }
    for (place, filter) in filters[trigger].enumerated()
    where !filter.holds(for: properties[filter.key]) {
      return place
    }
    return nil
  }

  /// The variant that a person is in: the same on every device, after every restart, and until the
  /// weights change.
  func variant(for user: UserID) -> Int {
    var share = StableHash.of(user, campaign.id) % totalWeight
    for (place, variant) in campaign.variants.enumerated() {
      let weight = UInt64(variant.weight)
      if share < weight { return place }
      share -= weight
    }
    return 0
  }

  /// How long after the trigger it is worth offering.
  func timeToLive(_ policy: MessagingPolicy) -> Duration {
    campaign.timeToLive ?? campaign.delay + policy.timeToLive
  }
}
