package import TLS
public import Vocabulary
import WebAddresses

/// How the connection to a server is protected.
///
/// A server that is not the right one gets nothing: no credential, no key, no name.
public enum ConnectionSecurity: Hashable, Sendable {
  /// Encrypted (TLS) with a certificate that the system's authorities vouch for; to a server on this
  /// machine, not encrypted.
  case automatic
  /// Not encrypted, for a network whose people one trusts.
  case plaintext
  /// Encrypted, with a certificate that one of these authorities vouches for, or that is one of them.
  ///
  /// The text has certificates in PEM.
  case authorities(pem: String)
  /// Encrypted, to the server with this public key only; its certificate's name, authority and expiry
  /// do not count.
  ///
  /// The text is the SHA-256 hash of the key in Base64URL, as ``GroupLink/fingerprint`` has it.
  case fingerprint(String)

  /// Which servers may answer at an address; `nil` if the connection is not encrypted.
  ///
  /// - Throws: ``GroupWatchError/Code/invalidSecurity``.
  package func trust(for endpoint: Endpoint) throws(GroupWatchError) -> TLSTrust? {
    switch self {
    case .automatic: return isLoopback(host: endpoint.host) ? nil : .systemRoots
    case .plaintext: return nil
    case .authorities(let pem):
      do throws(TLSIdentityFault) {
        return try TLSTrust(authorities: Array(pem.utf8))
      } catch {
        throw GroupWatchError(
          .invalidSecurity, "there is no certificate in the text of authorities",
          advice: "give certificates in PEM")
      }
    case .fingerprint(let text):
      guard let bytes = Base64URL.bytes(of: text), let key = KeyFingerprint(bytes) else {
        throw GroupWatchError(
          .invalidSecurity, "the fingerprint is not SHA-256 in 43 letters of Base64URL",
          advice: "copy it whole from a link or from the server's log")
      }
      return TLSTrust(key: key)
    }
  }

  /// Whether nobody on the way to an address can read what is sent there.
  func isPrivate(to endpoint: Endpoint) -> Bool {
    self != .plaintext || isLoopback(host: endpoint.host)
  }
}

extension GroupLink {
  /// Makes a link to a server as a client is connected to it.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - security: how the connection is protected; authorities of one's own are not in a link.
  ///   - group: the group; `nil` for a founding link.
  ///   - key: 26 letters and digits.
  /// - Throws: which part is wrong.
  public init(
    endpoint: Endpoint, security: ConnectionSecurity, group: GroupID?, key: String
  ) throws(GroupLinkError) {
    var fingerprint: String?
    if case .fingerprint(let text) = security { fingerprint = text }
    try self.init(
      endpoint: endpoint, isEncrypted: security != .plaintext, group: group, key: key,
      fingerprint: fingerprint)
  }

  /// How a connection to the link's server is protected.
  public var security: ConnectionSecurity {
    guard isEncrypted else { return .plaintext }
    return fingerprint.map { .fingerprint($0) } ?? .automatic
  }
}
