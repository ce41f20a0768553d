/// An IPv4 address in its only unambiguous form: four decimal numbers without leading zeros.
package struct IPv4Address: Equatable, Sendable {
  /// Four of them.
  package var bytes: [UInt8]

  /// Reads `1.2.3.4`.
  ///
  /// - Returns: `nil` for any other notation, which different parsers read differently.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    bytes = parts.compactMap { $0.count > 1 && $0.first == "0" ? nil : UInt8($0) }
    guard parts.count == 4, bytes.count == 4, !text.contains("+") else { return nil }
  }

  /// Whether it is this machine.
  package var isLoopback: Bool { bytes[0] == 127 }

  /// Whether it is this machine, one of the local network (RFC 1122, 1918, 3927, 6598), or not on
  /// the internet: for tests and examples (RFC 2544, 5737), multicast, or reserved (RFC 6890).
  package var isPrivate: Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (100, 64...127, _), (127, _, _), (169, 254, _), (172, 16...31, _),
      (192, 168, _):
      true
    case (192, 0, 0), (192, 0, 2), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
      true
    default: false
    }
  }
}

/// An IPv6 address (RFC 4291, 2.2); without a zone.
package struct IPv6Address: Equatable, Sendable {
  /// Eight of them.
  package var groups: [UInt16]

  /// Reads `2001:db8::1`, without brackets.
  ///
  /// - Returns: `nil` if the text is no such address.
  package init?(_ text: String) {
    var text = text
    // An IPv4 address at the end stands for the last two groups.
    if let colon = text.lastIndex(of: ":"), text.contains(".") {
      let tail = text[text.index(after: colon)...]
      guard let address = IPv4Address(tail) else { return nil }
      let high = UInt16(address.bytes[0]) << 8 | UInt16(address.bytes[1])
      let low = UInt16(address.bytes[2]) << 8 | UInt16(address.bytes[3])
      text = text[...colon] + String(high, radix: 16) + ":" + String(low, radix: 16)
    }
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, let head = Self.groups(in: halves[0]) else { return nil }
    guard halves.count == 2 else {
      guard head.count == 8 else { return nil }
      groups = head
      return
    }
    guard let tail = Self.groups(in: halves[1]), head.count + tail.count < 8 else { return nil }
    groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  /// The first 64 bits, which one household or machine has for itself.
  package var network: UInt64 { groups[..<4].reduce(0) { $0 << 16 | UInt64($1) } }

  private static func groups(in text: Substring) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let groups = parts.compactMap {
      $0.count > 4 || $0.hasPrefix("+") ? nil : UInt16($0, radix: 16)
    }
    return groups.count == parts.count ? groups : nil
  }

  /// Whether it is this machine, also as a mapped IPv4 address.
  ///
  /// Packets to 6to4, Teredo or a translator leave this machine, whatever address they contain.
  package var isLoopback: Bool {
    groups == [0, 0, 0, 0, 0, 0, 0, 1] || isMapped && embedded?.isLoopback == true
  }

  /// Whether it is an IPv4 address, as sockets for both families write one (RFC 4291, 2.5.5.2).
  var isMapped: Bool { groups[..<5].allSatisfy { $0 == 0 } && groups[5] == 0xFFFF }

  /// Whether it is this machine, one of the local network (RFC 3879, 4193, 4291), multicast, one of
  /// a local translator (RFC 8215), or contains such an IPv4 address.
  ///
  /// Where a local translator sends packets is unknown, because its network decides which part of
  /// the address is the IPv4 address.
  package var isPrivate: Bool {
    if groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFF80 == 0xFE80 { return true }
    if groups[0] & 0xFF00 == 0xFF00 || groups[..<3] == [0x64, 0xFF9B, 1] { return true }
    return groups[..<7].allSatisfy { $0 == 0 } && groups[7] <= 1 || embedded?.isPrivate == true
  }

  /// The IPv4 address that packets to this one finally reach: mapped and compatible ones (RFC
  /// 4291), 6to4 (RFC 3056), Teredo (RFC 4380), and those of a translator (RFC 2765, 6052).
  private var embedded: IPv4Address? {
    guard let pair = embeddedPair else { return nil }
    let bytes = pair.flatMap { [$0 >> 8, $0 & 0xFF] }
    return IPv4Address(bytes.map(String.init).joined(separator: "."))
  }

  private var embeddedPair: [UInt16]? {
    switch Array(groups[..<6]) {
    case [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xFFFF], [0, 0, 0, 0, 0xFFFF, 0],
      [0x64, 0xFF9B, 0, 0, 0, 0]:
      Array(groups[6...7])
    case let head where head[0] == 0x2002: Array(head[1...2])
    // Teredo has each bit inverted.
    case let head where head[0] == 0x2001 && head[1] == 0: groups[6...7].map { ~$0 }
    default: nil
    }
  }
}

/// Whether only this machine reaches a host that is a name or a literal address without brackets.
package func isLoopback(host: String) -> Bool {
  if host == "localhost" { return true }
  if let address = IPv4Address(host) { return address.isLoopback }
  return IPv6Address(host)?.isLoopback == true
}
