import WebAddresses

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

extension PeerAddress {
  /// Reads an address as the kernel writes it; `nil` for a peer without one, such as a local socket.
  package init?(host: String) {
    if let address = IPv4Address(host) {
      let bits = address.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      self.init(bits: bits, isIPv6: false, isLoopback: address.isLoopback)
    } else if let address = IPv6Address(String(host.prefix { $0 != "%" })) {
      // Not what only leads there in the end, such as 6to4's address of 127.0.0.1: a packet with such
      // a source comes from elsewhere.
      let isLoopback = address.groups == [0, 0, 0, 0, 0, 0, 0, 1]
      self.init(bits: address.network, isIPv6: true, isLoopback: isLoopback)
    } else {
      return nil
    }
  }
}
