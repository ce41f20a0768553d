import Cryptography
import Signatures
import Vocabulary

/// The tokens of apps' backends.
///
/// An input of one line is a token. One of two lines is a token's header and claims, which are
/// signed, because no fuzzer guesses a signature.
final class BackendTokens: FuzzTarget {
  static let name = "tokens"
  static let claim = "a token is believed only if it is signed, whole, in time and within bounds"

  private static let secret = Array("a secret of thirty-two bytes, so".utf8)
  private static let now = WallTime(seconds: 1_795_255_000)
  private let verifier: TokenVerifier
  private let signer: TokenSigner

  init() throws {
    verifier = try TokenVerifier(keys: try TokenKeys(contents: Self.secret))
    signer = try TokenSigner(contents: Self.secret)
  }

  static func seeds() throws -> [[UInt8]] {
    let claims = [
      #"{"sub":"ann","exp":1795255600}"#,
      #"{"sub":"ann","name":"Ann","groups":["friday","cinema-*","*"],"admin":true,"exp":1795255600.5}"#,
      #"{"sub":"ann","nbf":1795255000,"iat":1,"iss":"x","exp":253402300799}"#,
      #"{"sub":"ann","aud":["a","b"],"exp":1795255600}"#,
    ]
    let texts = claims.flatMap { claims in
      [#"{"alg":"HS256","typ":"JWT"}"#, #"{"alg":"none","kid":"k","crit":[]}"#]
        .map { "\($0)\n\(claims)" }
    }
    let tokens = texts.map { token(of: $0.utf8.split(separator: UInt8(ascii: "\n"))) }
    return (texts + tokens).map { Array($0.utf8) }
  }

  func check(_ input: [UInt8]) throws {
    let parts = input.split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let token = parts.count == 2 ? Self.token(of: parts) : String(shown: input)
    guard let claims = try claims(in: token) else { return }
    try checkBounds(of: claims)
    let signed = token.split(separator: ".").dropLast().joined(separator: ".")
    try require(token.utf8.elementsEqual(Self.signed(signed).utf8), else: "a forgery is believed")
    try checkSigning(claims)
  }

  private static func token(of parts: [some Collection<UInt8>]) -> String {
    signed(parts.map { Base64URL.text(of: $0) }.joined(separator: "."))
  }

  private static func signed(_ text: String) -> String {
    let code = SharedSecret(secret).code(for: Array(text.utf8))
    return "\(text).\(Base64URL.text(of: code))"
  }

  private func claims(in token: String) throws(BrokenClaim) -> TokenClaims? {
    do throws(TokenFault) { return try verifier.claims(in: token, at: Self.now) } catch {
      try require(!error.reason.isEmpty, else: "\(error) has no reason")
      return nil
    }
  }

  private func checkBounds(of claims: TokenClaims) throws(BrokenClaim) {
    try require(
      Self.now - TokenVerifier.leeway < claims.expires, else: "an expired token is believed")
    let limits = Limits()
    let names = [claims.user.text] + (claims.name.map { [$0] } ?? []) + claims.groups.patterns
    for name in names {
      try require(
        (1...limits.titleBytes).contains(name.utf8.count),
        else: "a name has \(name.utf8.count) bytes")
      try require(
        name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
        else: "a name has control characters")
    }
    try require(
      claims.user.text.utf8.count <= limits.identifierBytes, else: "a person's name is too long")
  }

  /// What a token says is signed again, and then says the same.
  private func checkSigning(_ claims: TokenClaims) throws {
    var contents = TokenContents(user: claims.user, issued: Self.now, expires: claims.expires)
    contents.name = claims.name
    contents.groups = claims.groups
    contents.isAdministrator = claims.isAdministrator
    let token = Result { () throws(TokenSigningFault) in try signer.token(for: contents) }
    // Escapes may make it longer than the one it is made of.
    guard case .success(let token) = token else { return }
    let again = try self.claims(in: token)
    try require(again == claims, else: "\(claims) is signed as \(again, default: "nothing")")
  }
}
