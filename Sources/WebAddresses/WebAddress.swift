/// The parts of an absolute `http` or `https` URL that decide whether it may be opened.
///
/// It accepts URLs of RFC 3986 that browsers read in the same way: a host that two parsers may read
/// differently is refused.
package struct WebAddress: Equatable, Sendable {
  /// In lower case.
  package var scheme: String
  /// Whether there is a name or a password in it.
  package var hasUserInformation: Bool
  /// In lower case, without the brackets of an IPv6 address or a dot at the end.
  package var host: String
  /// `nil` for the scheme's default.
  package var port: UInt16?
  /// Includes the slash at the beginning; may be empty.
  package var path: String

  /// The address in a text; `nil` if the text is none.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Self.neverPlain.contains($0) }),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    guard Self.isScheme(scheme), rest.hasPrefix("//") else { return nil }
    let begin = rest.index(rest.startIndex, offsetBy: 2)
    let end = rest[begin...].firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[begin..<end]
    path = String(rest[end...].prefix { $0 != "?" && $0 != "#" })
    let at = authority.lastIndex(of: "@")
    hasUserInformation = at != nil
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard let (host, port) = Self.hostAndPort(in: place) else { return nil }
    self.host = host
    self.port = port
  }

  /// Characters that a URL must escape.
  private static let neverPlain = Set("\"<>\\^`{|}".utf8)

  /// Whether a text is a valid scheme.
  package static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// The last extension of the path, in lower case; empty without one.
  package var pathExtension: String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The origin as RFC 6454 writes it: `https://example.com:8443`, without a default port.
  package var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let usual: UInt16? = ["http": 80, "https": 443][scheme]
    return if let port, port != usual { "\(scheme)://\(name):\(port)" } else {
      "\(scheme)://\(name)"
    }
  }

  /// Whether its host is one of these, or a subdomain of one.
  package func isBelow(_ hosts: Set<String>) -> Bool {
    hosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Whether it points to this machine or to one of the local network: by its address, or by a name
  /// that only the local network knows.
  ///
  /// Public names are not resolved here.
  package var isNearby: Bool {
    if let address = IPv4Address(host) { return address.isPrivate }
    if let address = IPv6Address(host) { return address.isPrivate }
    return !host.contains(".") || isBelow(["localhost", "local", "internal", "home.arpa"])
  }

  /// Whether it points to this machine by its address, or by the name reserved for it (RFC 6761).
  package var isLoopback: Bool {
    if let address = IPv4Address(host) { return address.isLoopback }
    if let address = IPv6Address(host) { return address.isLoopback }
    return isBelow(["localhost"])
  }

  private static func hostAndPort(in place: Substring) -> (String, UInt16?)? {
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]"),
        let port = port(in: place[place.index(after: end)...])
      else { return nil }
      let address = place[place.index(after: place.startIndex)..<end].lowercased()
      return IPv6Address(address) == nil ? nil : (address, port)
    }
    let end = place.firstIndex(of: ":") ?? place.endIndex
    guard let port = port(in: place[end...]), let host = name(in: place[..<end]) else {
      return nil
    }
    return (host, port)
  }

  private static func name(in text: Substring) -> String? {
    var host = text.lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    guard host.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }),
      !host.split(separator: ".", omittingEmptySubsequences: false).dropLast().contains("")
    else { return nil }
    // Some parsers read `127.1`, `0x7f.0.0.1` and `2130706433` as addresses, others as names.
    if let last = host.split(separator: ".").last, last.utf8.first?.isDigit == true,
      last.utf8.allSatisfy(\.isDigit) || last.hasPrefix("0x"), IPv4Address(host) == nil
    {
      return nil
    }
    return host
  }

  /// The port after a host: an inner `nil` if there is none, `nil` if it is invalid.
  private static func port(in text: Substring) -> UInt16?? {
    guard !text.isEmpty else { return .some(nil) }
    let digits = text.dropFirst()
    guard text.first == ":", digits.utf8.allSatisfy(\.isDigit) else { return nil }
    return digits.isEmpty ? .some(nil) : UInt16(digits).map { .some($0) }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
