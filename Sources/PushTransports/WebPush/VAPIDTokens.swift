import JSON
import Vocabulary

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
