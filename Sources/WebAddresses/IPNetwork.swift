/// An IP address of either family.
///
/// An IPv4 address that is mapped into IPv6 (RFC 4291, 2.5.5.2) is IPv4: sockets and proxies that
/// listen for both families write it so.
package struct IPAddress: Sendable {
  /// As it was written, but for a mapped address's prefix and a zone.
  package let text: String
  /// Four or sixteen of them.
  package let bytes: [UInt8]
  /// Whether a packet with this source is this machine's; not one with 6to4's address of 127.0.0.1,
  /// which only leads there in the end.
  package let isLoopback: Bool

  /// Reads `192.0.2.1` or `2001:db8::1`, the latter also with a zone as in `fe80::1%eth0`.
  package init?(_ text: some StringProtocol) {
    if let address = IPv4Address(text) {
      (self.text, bytes, isLoopback) = (String(text), address.bytes, address.isLoopback)
      return
    }
    let text = String(text.prefix { $0 != "%" })
    guard let address = IPv6Address(text) else { return nil }
    let all = address.groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    bytes = address.isMapped ? Array(all[12...]) : all
    self.text = address.isMapped ? bytes.map(String.init).joined(separator: ".") : text
    isLoopback = address.isLoopback
  }

  package var isIPv6: Bool { bytes.count == 16 }
}

/// A range of IP addresses (CIDR; RFC 4632, 3.1; RFC 4291, 2.3), such as `192.0.2.0/24`.
package struct IPNetwork: Equatable, Sendable {
  private let bytes: [UInt8]
  /// How many leading bits its addresses share.
  private let length: Int

  /// Reads a range, or one address.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(parts[0]) else { return nil }
    let most = address.bytes.count * 8
    guard let length = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(length) else {
      return nil
    }
    (bytes, self.length) = (address.bytes, length)
  }

  package func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == bytes.count else { return false }
    return zip(address.bytes, bytes).enumerated().allSatisfy { place, pair in
      let shared = min(max(length - place * 8, 0), 8)
      return (pair.0 ^ pair.1) >> (8 - shared) == 0
    }
  }
}
