internal import Vocabulary

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
