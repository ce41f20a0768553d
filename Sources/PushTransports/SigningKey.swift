import Crypto
import JSON
import Vocabulary

/// A private key of the curve P-256, by which a server shows a push service who it is.
package struct SigningKey: Sendable {
  private let key: P256.Signing.PrivateKey

  /// A new key, of the system's own chance.
  package init() {
    key = P256.Signing.PrivateKey()
  }

  /// Reads a key as people get it: in PEM, as Apple's `.p8` files and `openssl` write it (PKCS #8,
  /// or SEC 1), or as Base64URL of its 32 bytes, as tools for Web Push write it.
  ///
  /// - Throws: what is wrong with the text; never any of it, as logs are no place for keys.
  package init(text: String) throws(KeyFlaw) {
    let text = text.drop(while: \.isWhitespace)
    let line = text.prefix { !$0.isWhitespace }
    do {
      if text.hasPrefix("-----BEGIN") {
        key = try P256.Signing.PrivateKey(pemRepresentation: String(text))
      } else if let bytes = Base64URL.bytes(of: line),
        text.dropFirst(line.count).allSatisfy(\.isWhitespace)
      {
        key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
      } else {
        throw KeyFlaw.neither
      }
    } catch {
      throw text.isEmpty ? .empty : line.hasPrefix("-----BEGIN") ? .notThisKind : .neither
    }
  }

  /// The key in PEM (PKCS #8), to be kept in a file that nobody else reads.
  package var pem: String { key.pemRepresentation + "\n" }

  /// The public half: 65 bytes, uncompressed (SEC 1, 2.3.3); what browsers subscribe with.
  package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

  /// The signature of ES256 (RFC 7518, 3.4): 64 bytes.
  func signature(of bytes: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: bytes).rawRepresentation)
  }
}

/// Why a text is no signing key.
package enum KeyFlaw: Error, Equatable, Sendable {
  case empty
  /// It is in PEM, and no private key of the curve P-256.
  case notThisKind
  /// It is neither PEM nor Base64URL of 32 bytes.
  case neither
}

/// The tokens by which the server shows push services who it is (RFC 8292), one for each of them.
///
/// Signing costs some hundred times what looking up does, so each is used for hours.
struct VAPIDTokens: Sendable {
  /// How long a token is good: half of what a push service may refuse (RFC 8292, 2).
  static let lifetime = Duration.seconds(12 * 3_600)
  /// How long one is used: what was sent with it has hours left, also by a clock that is wrong.
  static let use = Duration.seconds(6 * 3_600)
  /// Push services at once: browsers have a handful; endpoints come from clients, who may make up
  /// any number.
  static let services = 64

  private struct Issued {
    var text: String
    var at: Instant
  }

  private let key: SigningKey
  private let subject: String
  private let publicKey: String
  private var tokens: [String: Issued] = [:]

  /// Tokens of a key; the subject is where its owner can be reached, as `mailto:` or `https:`.
  init(key: SigningKey, subject: String) {
    self.key = key
    self.subject = subject
    publicKey = Base64URL.text(of: key.publicKey)
  }

  /// The field `Authorization` for a push service, known by its origin.
  mutating func authorization(for origin: String, at now: Instant) throws -> String {
    if let known = tokens[origin], now - known.at < Self.use {
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

/// The token by which the server shows APNs who it is, and when there is to be another one.
///
/// Apple takes a token for an hour, and refuses those who make a new one more often than every
/// twenty minutes.
struct ProviderToken: Sendable {
  /// How long one is used: an hour, less ten minutes for a clock that is wrong and for the way.
  static let use = Duration.seconds(50 * 60)
  /// How long after making one because the last was refused a refusal is believed again.
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

  /// The token to send with.
  mutating func current(at now: Instant) throws -> String {
    if let issued, now - issued.at < Self.use { return issued.text }
    return try issue(at: now)
  }

  /// The token to send with after that one was refused as too old.
  ///
  /// - Returns: `nil` where another new one would be refused as well: then a clock is wrong. Who
  ///   was refused with a token that has been replaced meanwhile gets the one in its place.
  mutating func renewed(after refused: String, at now: Instant) throws -> String? {
    if let issued, issued.text != refused { return try current(at: now) }
    if let lastRefused, now - lastRefused < Self.patience { return nil }
    lastRefused = now
    return try issue(at: now)
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

/// A JSON Web Token signed by ES256 (RFC 7515, 7519), in the compact form that headers carry.
enum SignedToken {
  /// The token with these fields in its header and its claims.
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
  /// Whole seconds since 1970, as tokens and headers write time.
  var seconds: Int64 { microseconds / 1_000_000 }
}
