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

/// What decides whether a campaign comes once it is triggered, apart from what it then shows.
///
/// Small on purpose: an event copies the rules it looks at, and a copy of a whole campaign, with all
/// its texts, took longer than all its questions.
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
/// FNV-1a over the user, a zero byte and the campaign (no identifier holds one, so that no two pairs
/// read the same), and SplitMix64's mixer at the end: FNV alone leaves its low bits uneven for short
/// texts. SHA-256 would divide people no more evenly, needs a library or a hundred lines, and
/// nobody gains from choosing their variant.
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
