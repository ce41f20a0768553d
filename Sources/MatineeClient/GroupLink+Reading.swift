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
    let endpoint = try Endpoint(reading: server)
    let hasBrackets = server.first == UInt8(ascii: "[")
    guard !hasBrackets || IPv6Address(endpoint.host) != nil else { throw .host }
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
}
