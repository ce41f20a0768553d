/// Where a connection comes from: an IPv4 address, or the first 64 bits of an IPv6 address, which is
/// what one household or machine has for itself.
package struct PeerAddress: Hashable, Comparable, Sendable {
  package let bits: UInt64
  package let isIPv6: Bool
  package let isLoopback: Bool

  package init(bits: UInt64, isIPv6: Bool, isLoopback: Bool) {
    self.bits = bits
    self.isIPv6 = isIPv6
    self.isLoopback = isLoopback
  }

  package static func < (left: PeerAddress, right: PeerAddress) -> Bool {
    (left.isIPv6 ? 1 : 0, left.bits) < (right.isIPv6 ? 1 : 0, right.bits)
  }
}
