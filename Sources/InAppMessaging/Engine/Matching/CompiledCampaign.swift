internal import Vocabulary

/// A campaign with its expressions, its audience and its texts read.
struct CompiledCampaign: Equatable, Sendable {
  let campaign: Campaign
  let rule: CampaignRule
  /// The filters of each trigger.
  let filters: [[Condition]]
  /// Whether the audience asks anything of the device.
  let dependsOnDevice: Bool
  /// What each variant shows; `nil` for a control.
  let messages: [MessageTemplate?]
  /// The weights added up.
  let totalWeight: UInt64
  /// How many impressions the caps look at.
  let remembered: Int

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
