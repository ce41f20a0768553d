public import Vocabulary
import WebAddresses

/// The link by which somebody enters a group: where the server is, which group it is, and the key
/// that opens it.
///
/// People pass such links on, as text or as a QR code:
///
/// ```
/// matinee://host:7878/group#key               over TLS
/// matinee://host:7878/group#key.fingerprint   over TLS, to the server with this public key
/// matinee+plain://host:7878/group#key         not encrypted
/// ```
///
/// A link is as secret as its key: ``text`` contains it, and what is printed or logged does not.
public struct GroupLink: Hashable, Sendable {
  /// The server's address; its host is in lower case.
  public let endpoint: Endpoint
  /// Whether the connection is encrypted (TLS).
  public let isEncrypted: Bool
  /// The group; `nil` in a founding link, whose key opens any new group.
  public let group: GroupID?
  /// The key: 26 letters and digits.
  public let key: String
  /// The SHA-256 hash of the server's public key in Base64URL; `nil` if any server with a trusted
  /// certificate will do.
  public let fingerprint: String?

  /// The most bytes of a link's text.
  public static let longest = 1_024

  /// Makes a link from its parts.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - isEncrypted: whether the connection is encrypted.
  ///   - group: the group; `nil` or an empty one for a founding link.
  ///   - key: 26 letters and digits.
  ///   - fingerprint: the SHA-256 hash of the server's public key in Base64URL.
  /// - Throws: which part is wrong.
  public init(
    endpoint: Endpoint, isEncrypted: Bool = true, group: GroupID?, key: String,
    fingerprint: String? = nil
  ) throws(GroupLinkError) {
    let host = endpoint.host.lowercased()
    guard Self.isHostName(host) || IPv6Address(host) != nil else { throw .host }
    guard endpoint.port > 0 else { throw .port }
    guard (group?.text.utf8.count ?? 0) <= Limits().identifierBytes else { throw .groupTooLong }
    guard Secret(key) != nil else { throw .key }
    if let fingerprint {
      guard Base64URL.bytes(of: fingerprint)?.count == 32 else { throw .fingerprint }
      guard isEncrypted else { throw .unusedFingerprint }
    }
    self.endpoint = Endpoint(host: host, port: endpoint.port)
    self.isEncrypted = isEncrypted
    self.group = group?.text.isEmpty == true ? nil : group
    self.key = key
    self.fingerprint = fingerprint
  }

  /// Whether a text may be a host's name, or is an IPv4 address.
  private static func isHostName(_ text: String) -> Bool {
    // The longest name that DNS can ask for (RFC 1035, 2.3.4).
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(byte)
        }
      }
  }

  /// The whole link with its key; equal links have equal texts.
  public var text: String {
    "\(description)#\(key)" + (fingerprint.map { ".\($0)" } ?? "")
  }
}

extension GroupLink: CustomStringConvertible, CustomReflectable {
  /// The link without its key, for people and logs.
  public var description: String {
    let path = group.map { PercentEncoding.part(for: $0.text) } ?? ""
    return "\(isEncrypted ? Scheme.encrypted : Scheme.plain)\(endpoint)/\(path)"
  }

  /// All parts but the key.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "endpoint": endpoint, "isEncrypted": isEncrypted, "group": group as Any,
        "fingerprint": fingerprint as Any,
      ])
  }
}

extension GroupLink {
  /// How links begin.
  enum Scheme {
    static let encrypted = "matinee://"
    static let plain = "matinee+plain://"
  }
}

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

/// What is wrong with the text of a ``GroupLink``.
///
/// It repeats nothing of the text, which holds a key, so it may be logged.
public enum GroupLinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has more bytes than ``GroupLink/longest``.
  case tooLong
  /// It does not begin as a link does.
  case scheme
  /// The server is neither a host name nor an address.
  case host
  /// The port is no number from 1 to 65535.
  case port
  /// The group is not written as a part of a URL.
  case group
  /// The group has more bytes than ``Limits/identifierBytes``.
  case groupTooLong
  /// The key is missing, or it is none.
  case key
  /// The fingerprint is none.
  case fingerprint
  /// There is a fingerprint, but no encryption that would check it.
  case unusedFingerprint

  /// What is wrong, in one sentence.
  public var message: String {
    switch self {
    case .tooLong: "the link has more than \(GroupLink.longest) bytes"
    case .scheme: "the link does not begin with matinee:// or matinee+plain://"
    case .host: "the link's server is no host name, no IPv4 address and no IPv6 address in brackets"
    case .port: "the link's port is no number from 1 to 65535"
    case .group: "the link's group is not one percent-encoded part in UTF-8"
    case .groupTooLong: "the link's group has more than \(Limits().identifierBytes) bytes"
    case .key: "the link has no key of 26 lower-case letters and digits behind a #"
    case .fingerprint: "the link's fingerprint is not SHA-256 in 43 letters of Base64URL"
    case .unusedFingerprint:
      "the link has a fingerprint, which only an encrypted connection can check"
    }
  }

  /// The message, and how a link looks.
  public var description: String {
    "\(message); a link looks like matinee://host:7878/group#key, and is best copied whole"
  }
}
