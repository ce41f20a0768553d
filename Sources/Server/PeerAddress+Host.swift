package import Coordination
import WebAddresses

extension PeerAddress {
  /// Reads an address as the kernel writes it; `nil` for a peer without one, such as a local socket.
  package init?(host: String) {
    if let address = IPv4Address(host) {
      let bits = address.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      self.init(bits: bits, isIPv6: false, isLoopback: address.isLoopback)
    } else if let address = IPv6Address(String(host.prefix { $0 != "%" })) {
      let bits = address.groups[..<4].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
      // Not what only leads there in the end, such as 6to4's address of 127.0.0.1: a packet with such
      // a source comes from elsewhere.
      let isLoopback = address.groups == [0, 0, 0, 0, 0, 0, 0, 1]
      self.init(bits: bits, isIPv6: true, isLoopback: isLoopback)
    } else {
      return nil
    }
  }
}
