internal import Vocabulary

/// A campaign with its expressions, its audience and its texts read.
struct CompiledCampaign: Equatable, Sendable {
  let campaign: Campaign
  let audience: AudienceCondition
  /// Whether the audience asks anything of the device.
  let dependsOnDevice: Bool
  /// The product, push or button that each trigger waits for; `nil` for any.
  let subjects: [String?]
  /// The filters of each trigger.
  let filters: [[Condition]]
  /// What each variant shows; `nil` for a control.
  let messages: [MessageTemplate?]
  /// The weights added up.
  let totalWeight: UInt64
  /// How many impressions the caps look at.
  let remembered: Int

  /// The filter of a trigger that an event does not meet, by its place; -1 if it is another product,
  /// push or button. `nil` if it meets all.
  ///
  /// - Parameter properties: the event's, taken out of it once for all campaigns.
  func unmetFilter(
    of trigger: Int, for event: TriggeringEvent, _ properties: [String: PropertyValue]
  ) -> Int? {
    guard subjects[trigger] == nil || subjects[trigger] == event.subject else { return -1 }
    let filters = filters[trigger]
    for place in filters.indices where !filters[place].holds(for: properties[filters[place].key]) {
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
