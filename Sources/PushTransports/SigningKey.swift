import Cryptography
import JSON
import Vocabulary

/// A private P-256 key with which the server identifies itself to push services.
package struct SigningKey: Sendable {
  private let key: PrivateKey

  /// Generates a key with the system's random generator.
  package init() {
    key = .newP256()
  }

  /// Reads a key in a usual form: PEM, as in Apple's `.p8` files and from `openssl` (PKCS #8 or SEC
  /// 1), or its 32 bytes in Base64URL, as Web Push tools write it.
  ///
  /// - Throws: what is wrong with the text. The error never contains any of it, because logs must
  ///   not contain keys.
  package init(text: String) throws(KeyFlaw) {
    let text = text.drop(while: \.isWhitespace)
    let line = text.prefix { !$0.isWhitespace }
    guard !text.isEmpty else { throw .empty }
    let isPEM = text.hasPrefix("-----BEGIN")
    do throws(KeyFault) {
      if isPEM {
        key = try PrivateKey(pem: String(text))
      } else {
        guard text.dropFirst(line.count).allSatisfy(\.isWhitespace),
          let bytes = Base64URL.bytes(of: line)
        else { throw KeyFault.unreadable }
        key = try PrivateKey(p256: bytes)
      }
      guard key.algorithm == .es256 else { throw KeyFault.unsupported }
    } catch {
      throw isPEM ? .notThisKind : .neither
    }
  }

  /// The key in PEM (PKCS #8), for a file that only its owner can read.
  package var pem: String { key.pem }

  /// The public key: 65 bytes, uncompressed (SEC 1, 2.3.3).
  ///
  /// Browsers subscribe with it.
  package var publicKey: [UInt8] { key.publicKey.p256Point ?? [] }

  /// An ES256 signature (RFC 7518, 3.4): 64 bytes.
  func signature(of bytes: [UInt8]) throws(CryptographyFault) -> [UInt8] {
    try key.signature(of: bytes)
  }
}

/// Why a text is no signing key.
package enum KeyFlaw: Error, Equatable, Sendable {
  case empty
  /// It is PEM, but not a private P-256 key.
  case notThisKind
  /// It is neither PEM nor 32 bytes in Base64URL.
  case neither
}

/// The tokens with which the server identifies itself to Web Push services (RFC 8292), one per
/// service.
///
/// Signing costs about a hundred times as much as a lookup, so each token is used for hours.
struct VAPIDTokens: Sendable {
  /// How long a token is valid: half of the longest time that push services accept (RFC 8292, 2).
  static let lifetime = Duration.seconds(12 * 3_600)
  /// How long a token is used.
  ///
  /// It stays valid for hours afterwards, even if a clock is wrong.
  static let use = Duration.seconds(6 * 3_600)
  /// How many services have a token.
  ///
  /// Browsers use a handful, but endpoints come from clients, which could invent any number.
  static let services = 64

  private struct Issued {
    var text: String
    var at: Instant
  }

  private let key: SigningKey
  private let subject: String
  private let publicKey: String
  private var tokens: [String: Issued] = [:]

  /// Makes tokens of a key.
  ///
  /// The subject is how to contact the operator: a `mailto:` or `https:` URL.
  init(key: SigningKey, subject: String) {
    self.key = key
    self.subject = subject
    publicKey = Base64URL.text(of: key.publicKey)
  }

  /// The field `Authorization` for a push service, identified by its origin, at a time of day.
  mutating func authorization(for origin: String, at now: Instant) throws -> String {
    if let known = tokens[origin], now.isInUse(since: known.at, for: Self.use) {
      return "vapid t=\(known.text), k=\(publicKey)"
    }
    if tokens.count >= Self.services, tokens[origin] == nil,
      let oldest = tokens.min(by: { $0.value.at < $1.value.at })
    {
      tokens[oldest.key] = nil
    }
    let expiry = (now + Self.lifetime).seconds
    let text = try SignedToken.text(
      header: {
        $0.field("typ", "JWT")
        $0.field("alg", "ES256")
      },
      claims: {
        $0.field("aud", origin)
        $0.field("exp", expiry)
        $0.field("sub", subject)
      }, by: key)
    tokens[origin] = Issued(text: text, at: now)
    return "vapid t=\(text), k=\(publicKey)"
  }
}

/// The token with which the server identifies itself to APNs, and the time of its renewal.
///
/// Apple accepts a token for an hour, and rejects clients that renew it more often than every 20
/// minutes.
struct ProviderToken: Sendable {
  /// How long a token is used: an hour, minus ten minutes for clock errors and latency.
  static let use = Duration.seconds(50 * 60)
  /// After a renewal because of a refusal, further refusals cause none for this time.
  static let patience = Duration.seconds(20 * 60)

  private let key: SigningKey
  private let keyID: String
  private let teamID: String
  private var issued: (text: String, at: Instant)?
  private var lastRefused: Instant?

  init(_ configuration: APNsConfiguration) {
    key = configuration.key
    keyID = configuration.keyID
    teamID = configuration.teamID
  }

  /// The token for the next push, at a time of day.
  mutating func current(at now: Instant) throws -> String {
    if let issued, now.isInUse(since: issued.at, for: Self.use) { return issued.text }
    return try issue(at: now)
  }

  /// The token to use after `refused` was rejected as too old.
  ///
  /// - Returns: `nil` if the new token was rejected too, which means that a clock is wrong. If
  ///   `refused` has been replaced meanwhile, returns its replacement.
  mutating func renewed(after refused: String, at now: PushTime) throws -> String? {
    if let issued, issued.text != refused { return try current(at: now.wall) }
    // By the group's time, because the time of day may be set in the meantime.
    if let lastRefused, now.group - lastRefused < Self.patience { return nil }
    lastRefused = now.group
    return try issue(at: now.wall)
  }

  private mutating func issue(at now: Instant) throws -> String {
    let text = try SignedToken.text(
      header: {
        $0.field("alg", "ES256")
        $0.field("kid", keyID)
      },
      claims: {
        $0.field("iss", teamID)
        $0.field("iat", now.seconds)
      }, by: key)
    issued = (text, now)
    return text
  }
}

/// A JSON Web Token signed by ES256 (RFC 7515, 7519), in its compact form.
enum SignedToken {
  /// Builds a token with these header fields and claims.
  static func text(
    header: (inout JSONWriter) -> Void, claims: (inout JSONWriter) -> Void, by key: SigningKey
  ) throws -> String {
    let signed = "\(part(header)).\(part(claims))"
    let signature = try key.signature(of: Array(signed.utf8))
    return "\(signed).\(Base64URL.text(of: signature))"
  }

  private static func part(_ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(fields)
    return Base64URL.text(of: writer.bytes)
  }
}

extension Instant {
  /// Whole seconds since 1970, as in tokens and headers.
  var seconds: Int64 { microseconds / 1_000_000 }
}
