import Cryptography
import KeyTesting
import Signatures
import Vocabulary

/// Makes tokens of any text, as a backend with mistakes or bad intentions could.
struct TokenForge {
  static let secret = "0123456789abcdef0123456789abcdef"
  static let now = WallTime(seconds: 1_800_000_000)
  /// Claims with which a token is valid at ``now``.
  static let claims = #"{"sub":"ann","exp":1800003600}"#
  static let header = #"{"alg":"HS256","typ":"JWT"}"#

  /// Signs two texts with a secret.
  static func token(
    header: String = header, claims: String = claims, secret: String = secret
  ) -> String {
    let signed = signed(header, claims)
    return signed + "."
      + Base64URL.text(of: SharedSecret(Array(secret.utf8)).code(for: signed.bytes))
  }

  /// Signs two texts with a private key.
  static func token(
    header: String, claims: String = claims, pem: String
  ) throws -> String {
    let signed = signed(header, claims)
    let signature = try PrivateKey(pem: pem).signature(of: signed.bytes)
    return signed + "." + Base64URL.text(of: signature)
  }

  private static func signed(_ header: String, _ claims: String) -> String {
    [header, claims].map { Base64URL.text(of: $0.bytes) }.joined(separator: ".")
  }

  /// A verifier with a key file's contents.
  static func verifier(
    _ contents: String = secret, issuer: String? = nil, audience: String? = nil,
    limits: Limits = Limits()
  ) throws -> TokenVerifier {
    try TokenVerifier(
      keys: TokenKeys(contents: contents.bytes), issuer: issuer, audience: audience, limits: limits)
  }
}

extension TokenVerifier {
  /// Why a token is not accepted; `nil` if it is.
  func fault(of token: String, at now: WallTime = TokenForge.now) -> TokenFault? {
    do throws(TokenFault) {
      _ = try claims(in: token, at: now)
      return nil
    } catch {
      return error
    }
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
