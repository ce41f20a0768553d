internal import Vocabulary

/// A campaign with its expressions, its audience and its templates compiled.
struct CompiledCampaign: Equatable, Sendable {
  let campaign: Campaign
  let rule: CampaignRule
  /// The filters of each trigger.
  let filters: [[Condition]]
  /// Whether the audience asks anything of the device.
  let dependsOnDevice: Bool
  /// The message of each variant; `nil` for a control.
  let messages: [MessageTemplate?]
  /// The sum of the weights.
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

  /// How long after the trigger the message may be offered.
  func timeToLive(_ policy: MessagingPolicy) -> Duration {
    campaign.timeToLive ?? campaign.delay + policy.timeToLive
  }
}

/// The part of a campaign that decides whether it is delivered once it is triggered.
///
/// It is small because an event copies the rules it evaluates; copying a whole campaign with its
/// texts took longer than evaluating it.
struct CampaignRule: Equatable, Sendable {
  let id: CampaignID
  let isLive: Bool
  let start: Instant?
  let end: Instant?
  let audience: AudienceCondition
  let caps: [FrequencyCap]
  let reEligibility: ReEligibility
  let interval: IntervalOverride
  let delay: Duration
  let bindsSession: Bool

  init(_ campaign: Campaign, audience: AudienceCondition) {
    id = campaign.id
    isLive = campaign.state == .live
    start = campaign.start
    end = campaign.end
    self.audience = audience
    caps = campaign.caps
    reEligibility = campaign.reEligibility
    interval = campaign.interval
    delay = campaign.delay
    bindsSession = campaign.bindsSession
  }
}

/// A number for a person and a campaign that is the same on every machine and after every restart.
///
/// FNV-1a over the user, a zero byte and the campaign, then SplitMix64's mixer. No identifier has a
/// zero byte, so no two pairs collide by concatenation. FNV alone leaves its low bits uneven for
/// short texts. SHA-256 divides people no more evenly and needs a library, and nobody gains from
/// choosing their variant.
struct StableHash: Sendable {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
  }

  mutating func combine(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  var value: UInt64 {
    var generator = SplitMix64(seed: state)
    return generator.next()
  }

  static func of(_ user: UserID, _ campaign: CampaignID) -> UInt64 {
    var hash = StableHash()
    hash.combine(user.text)
    hash.combine(0)
    hash.combine(campaign.text)
    return hash.value
  }
}
