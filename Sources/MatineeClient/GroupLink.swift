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
