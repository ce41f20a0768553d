import Vocabulary
import WebAddresses

extension GroupLink {
  /// Reads a link; white space around it is ignored, because links are pasted.
  ///
  /// - Throws: what is wrong with it.
  public init(_ text: String) throws(GroupLinkError) {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }.map(start.index(after:))
    // Bytes, because in text a mark and an accent behind it are one character.
    let bytes = ArraySlice(start[..<(end ?? start.endIndex)].utf8)
    guard bytes.count <= Self.longest else { throw .tooLong }
    let (isEncrypted, link) = try Self.scheme(of: bytes)
    let (address, secret) = link.halves(at: "#")
    let (server, part) = address.halves(at: "/")
    let endpoint = try Self.endpoint(in: server)
    guard let group = PercentEncoding.text(of: part ?? []) else { throw .group }
    guard let (key, fingerprint) = secret?.halves(at: ".") else { throw .key }
    try self.init(
      endpoint: endpoint, isEncrypted: isEncrypted, group: GroupID(group), key: key.text,
      fingerprint: fingerprint?.text)
  }

  /// Whether a text is meant as a link: it begins like one, though it may have mistakes.
  public static func isLink(_ text: String) -> Bool {
    [Scheme.encrypted, Scheme.plain].contains { text.lowercased().hasPrefix($0) }
  }

  /// Whether a link is encrypted, and what follows its scheme.
  private static func scheme(
    of link: ArraySlice<UInt8>
  ) throws(GroupLinkError) -> (isEncrypted: Bool, rest: ArraySlice<UInt8>) {
    for (scheme, isEncrypted) in [(Scheme.encrypted, true), (Scheme.plain, false)] {
      let start = link.prefix(scheme.utf8.count)
      if start.text.lowercased() == scheme { return (isEncrypted, link[start.endIndex...]) }
    }
    throw .scheme
  }

  /// The address in `host`, `host:port`, `[v6]` or `[v6]:port`.
  private static func endpoint(in text: ArraySlice<UInt8>) throws(GroupLinkError) -> Endpoint {
    guard text.first == UInt8(ascii: "[") else {
      let (host, port) = text.halves(at: ":")
      // An IPv6 address without brackets is no host with a wrong port.
      guard port?.contains(UInt8(ascii: ":")) != true else { throw .host }
      return Endpoint(host: host.text, port: try Self.port(in: port))
    }
    let (host, rest) = text.dropFirst().halves(at: "]")
    guard let rest, IPv6Address(host.text) != nil else { throw .host }
    let (gap, port) = rest.halves(at: ":")
    guard gap.isEmpty else { throw .port }
    return Endpoint(host: host.text, port: try Self.port(in: port))
  }

  /// The number of a port, or the one that servers have by default.
  private static func port(in digits: ArraySlice<UInt8>?) throws(GroupLinkError) -> UInt16 {
    guard let digits else { return Endpoint(host: "").port }
    // A plus sign is not one of them.
    let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, digits.count <= 5, let port = UInt16(digits.text) else { throw .port }
    return port
  }
}

extension ArraySlice<UInt8> {
  /// What stands before the first such mark and behind it; `nil` behind it without a mark.
  fileprivate func halves(at mark: Unicode.Scalar) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    guard let place = firstIndex(of: UInt8(ascii: mark)) else { return (self, nil) }
    return (self[..<place], self[(place + 1)...])
  }

  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
