package import Vocabulary
import WebAddresses

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

  /// Counts a connection as another address's: a proxy passes on what several clients say by it.
  ///
  /// Nobody opens a connection by that, so the quickness of openings has no part in it.
  ///
  /// - Parameters:
  ///   - old: whose it was counted as; `nil` if it is not counted yet.
  ///   - new: whose it is now.
  /// - Returns: false if the new address has too many; it counts for neither then.
  package mutating func move(from old: PeerAddress?, to new: PeerAddress) -> Bool {
    if let old { leave(old) }
    guard !new.isLoopback else { return true }
    guard counts[new, default: 0] < most else { return false }
    counts[new, default: 0] += 1
    return true
  }

  package mutating func leave(_ address: PeerAddress) {
    guard let count = counts[address] else { return }
    counts[address] = count > 1 ? count - 1 : nil
  }
}

/// Where a connection comes from: an IPv4 address, or the first 64 bits of an IPv6 address, which is
/// what one household or machine has for itself.
package struct PeerAddress: Hashable, Comparable, Sendable {
  package let bits: UInt64
  package let isIPv6: Bool
  package let isLoopback: Bool
  /// Whether a proxy on this machine may have passed the connection on, so that it is anybody's.
  package private(set) var isProxied = false

  package init(bits: UInt64, isIPv6: Bool, isLoopback: Bool) {
    self.bits = bits
    self.isIPv6 = isIPv6
    self.isLoopback = isLoopback
  }

  /// The same address, of a connection to `--http`, before which proxies stand.
  ///
  /// What comes through a proxy on this machine counts apart from what comes from the machine itself:
  /// otherwise strangers could use up what the machine's own people may do.
  package var atWeb: PeerAddress {
    var address = self
    address.isProxied = isLoopback
    return address
  }

  package static func < (left: PeerAddress, right: PeerAddress) -> Bool {
    left.order < right.order
  }

  private var order: (Int, Int, UInt64) { (isIPv6 ? 1 : 0, isProxied ? 1 : 0, bits) }
}

extension PeerAddress {
  /// Reads an address as the kernel writes it; `nil` for a peer without one, such as a local socket.
  package init?(host: String) {
    guard let address = IPAddress(host) else { return nil }
    self.init(
      bits: address.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      isIPv6: address.isIPv6, isLoopback: address.isLoopback)
  }
}
