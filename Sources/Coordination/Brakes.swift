import Vocabulary

/// Counts the wrong keys, credentials and codes of each address.
///
/// Guesses are counted by address and never by name, else anybody could lock a person out. A right
/// key or credential comes in all the same, because many people may share one address.
struct Brakes: Sendable {
  /// When an address has all its guesses again.
  private var full: [PeerAddress: Instant] = [:]

  /// The addresses that are remembered: more than guess at once unless it is an attack, in which
  /// those that are freest again are forgotten.
  private static let most = 4_096

  /// How long an address has to wait before it may guess again; `nil` if it may.
  func wait(for address: PeerAddress?, at now: Instant, _ limits: Limits) -> Duration? {
    guard let address, let full = full[address] else { return nil }
    let wait = full + Self.share(limits) - now - .seconds(60)
    return wait > .zero ? wait : nil
  }

  /// How many addresses are remembered.
  var count: Int { full.count }

  /// Counts a wrong guess.
  mutating func note(_ address: PeerAddress?, at now: Instant, _ limits: Limits) {
    guard let address else { return }
    // Beyond the limit, guesses do not add up: an address waits for a minute at most.
    let latest = now + .seconds(60)
    full[address] = min(max(full[address] ?? now, now) + Self.share(limits), latest)
    guard full.count > Self.most else { return }
    full = full.filter { $0.value > now }
    while full.count > Self.most, let freest = full.min(by: { $0.value < $1.value })?.key {
      full[freest] = nil
    }
  }

  private static func share(_ limits: Limits) -> Duration {
    .microseconds(60_000_000 / Int64(max(limits.guesses, 1)))
  }
}

/// Where a connection comes from: an IPv4 address, or the first 64 bits of an IPv6 address, which is
/// what one household or machine has for itself.
package struct PeerAddress: Hashable, Sendable {
  package let bits: UInt64
  package let isIPv6: Bool
  package let isLoopback: Bool

  package init(bits: UInt64, isIPv6: Bool, isLoopback: Bool) {
    self.bits = bits
    self.isIPv6 = isIPv6
    self.isLoopback = isLoopback
  }
}
