/// The parts of an absolute `http` or `https` URL that decide whether one goes there.
///
/// Reads what RFC 3986 allows and a browser would not understand otherwise: a host that is written
/// so that two readers may see two hosts is no host here.
package struct WebAddress: Equatable, Sendable {
  /// In lower case.
  package var scheme: String
  /// Whether a name or a password stands before the host.
  package var hasUserInformation: Bool
  /// In lower case, without the brackets of an IPv6 address or a dot at the end.
  package var host: String
  /// Up to a query.
  package var path: String

  /// The address in a text; `nil` where it is none.
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
    guard let host = Self.host(in: place) else { return nil }
    self.host = host
  }

  /// What no URL has unescaped.
  private static let neverPlain = Set("\"<>\\^`{|}".utf8)

  /// Whether a text can stand before a colon.
  package static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// The last extension of the path, in lower case; empty without one.
  var pathExtension: String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static func host(in place: Substring) -> String? {
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]"), isPort(place[place.index(after: end)...])
      else { return nil }
      let address = place[place.index(after: place.startIndex)..<end].lowercased()
      return IPv6Address(address) == nil ? nil : address
    }
    let end = place.firstIndex(of: ":") ?? place.endIndex
    guard isPort(place[end...]) else { return nil }
    var host = place[..<end].lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    guard host.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }),
      !host.split(separator: ".", omittingEmptySubsequences: false).dropLast().contains("")
    else { return nil }
    // `127.1`, `0x7f.0.0.1` and `2130706433` are addresses to some readers, names to others.
    if let last = host.split(separator: ".").last, last.utf8.first?.isDigit == true,
      last.utf8.allSatisfy(\.isDigit) || last.hasPrefix("0x"), IPv4Address(host) == nil
    {
      return nil
    }
    return host
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty else { return true }
    let digits = text.dropFirst()
    return text.first == ":" && digits.utf8.allSatisfy(\.isDigit)
      && (digits.isEmpty || UInt16(digits) != nil)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
