import JSON
import Vocabulary

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
