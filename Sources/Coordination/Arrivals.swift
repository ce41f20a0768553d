package import Vocabulary

/// Who may connect: how many connections an address has at once, and how quickly it opens them.
///
/// Nobody has proved anything yet, so only the address counts, and a connection beyond the bounds costs
/// nothing but its acceptance: no handshake, no answer. Connections of this machine have no such bound:
/// a proxy's are everybody's.
package struct Arrivals: Equatable, Sendable {
  private var rates: RateLimit<PeerAddress>
  private var counts: [PeerAddress: Int] = [:]
  /// How many connections an address has at once; never more than half of all, else one address could
  /// lock out all others.
  private let most: Int

  package init(_ limits: Limits) {
    most = max(1, min(limits.connectionsPerAddress, limits.peers / 2))
    rates = RateLimit(
      burst: limits.connectionBurst, perSecond: limits.connectionsPerSecond,
      sources: limits.guessers)
  }

  /// Admits a connection; ``leave(_:)`` must be called for each.
  ///
  /// - Returns: false if the address has too many, or opens them too quickly.
  package mutating func enter(_ address: PeerAddress, at now: Instant) -> Bool {
    guard !address.isLoopback else { return true }
    guard counts[address, default: 0] < most, rates.take(by: address, at: now) else {
      return false
    }
    counts[address, default: 0] += 1
    return true
  }

  package mutating func leave(_ address: PeerAddress) {
    guard let count = counts[address] else { return }
    counts[address] = count > 1 ? count - 1 : nil
  }
}
