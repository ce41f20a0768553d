/// An IPv4 address in its one undisputed form: four decimal numbers, no zero before a digit.
struct IPv4Address: Equatable {
  var bytes: [UInt8]

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    bytes = parts.compactMap { $0.count > 1 && $0.first == "0" ? nil : UInt8($0) }
    guard parts.count == 4, bytes.count == 4, !text.contains("+") else { return nil }
  }

  /// Whether it is this machine, or one nearby (RFC 1122, 1918, 3927, 6598).
  var isPrivate: Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127): true
    default: false
    }
  }
}

/// An IPv6 address (RFC 4291, 2.2); without a zone.
struct IPv6Address: Equatable {
  /// Eight of them.
  var groups: [UInt16]

  init?(_ text: String) {
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

  private static func groups(in text: Substring) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let groups = parts.compactMap {
      $0.count > 4 || $0.hasPrefix("+") ? nil : UInt16($0, radix: 16)
    }
    return groups.count == parts.count ? groups : nil
  }

  /// Whether it is this machine, or one nearby (RFC 4193, 4291), or such an IPv4 address within.
  var isPrivate: Bool {
    let isLocal = groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFFC0 == 0xFE80
    guard groups[..<5].allSatisfy({ $0 == 0 }) else { return isLocal }
    if groups[5] == 0, groups[6] == 0, groups[7] <= 1 { return true }
    let isIPv4 = groups[5] == 0xFFFF || groups[5] == 0
    let bytes = [groups[6] >> 8, groups[6] & 0xFF, groups[7] >> 8, groups[7] & 0xFF]
    return isIPv4
      && IPv4Address(bytes.map(String.init).joined(separator: "."))?.isPrivate == true
  }
}
