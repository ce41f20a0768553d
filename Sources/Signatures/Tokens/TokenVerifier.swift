package import Vocabulary

/// Verifies the tokens with which an app's backend says who somebody is: JSON Web Tokens (RFC 7519),
/// by the rules of RFC 8725.
///
/// It is a value without a clock; the time of day is passed in.
package struct TokenVerifier: Sendable {
  /// How far the clocks of two machines may be apart, in seconds.
  package static let leeway: Int64 = 60

  package let keys: TokenKeys
  private let issuer: String?
  private let audience: String?
  private let limits: Limits

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - keys: the keys; public ones require an audience.
  ///   - issuer: what each token's `iss` has to be; `nil` accepts any, and none.
  ///   - audience: what each token's `aud` has to contain; `nil` accepts only tokens without one,
  ///     because a token with one is for somebody else (RFC 7519, 4.1.3).
  ///   - limits: the bounds of tokens and of names.
  package init(
    keys: TokenKeys, issuer: String? = nil, audience: String? = nil, limits: Limits = Limits()
  ) throws(TokenConfigurationFault) {
    guard audience != nil || !keys.requireAudience else { throw .audienceRequired }
    guard issuer?.isEmpty != true, audience?.isEmpty != true else { throw .emptyName }
    self.keys = keys
    self.issuer = issuer
    self.audience = audience
    self.limits = limits
  }

  /// Verifies a token and returns its claims.
  ///
  /// The signature is checked before any claim is read.
  package func claims(in token: String, at now: WallTime) throws(TokenFault) -> TokenClaims {
    let parts = try TokenParts(token, atMost: limits.credentialBytes)
    let header = try TokenHeader(parts.header)
    let key = try keys.key(named: header.keyID)
    guard header.algorithm == key.algorithm else { throw .algorithm(expected: key.algorithm) }
    guard key.isValid(parts.signature, for: parts.signed) else { throw .signature }
    let claims = try TokenBody(parts.claims, within: limits)
    try check(claims, at: now)
    return TokenClaims(
      user: claims.user, name: claims.name, groups: GroupGrants(claims.groups),
      isAdministrator: claims.isAdministrator, expires: claims.expires, key: key.fingerprint)
  }

  private func check(_ claims: TokenBody, at now: WallTime) throws(TokenFault) {
    guard now - Self.leeway < claims.expires else { throw .expired }
    if let start = claims.start, now + Self.leeway < start { throw .notYetValid }
    if let issuer, claims.issuer != issuer { throw .issuer }
    guard let audience else {
      guard claims.audiences == nil else { throw .audience }
      return
    }
    guard claims.audiences?.contains(audience) == true else { throw .audience }
  }
}

/// Why tokens cannot be verified with a configuration.
package enum TokenConfigurationFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A public key may sign for other services, too.
  case audienceRequired
  /// The issuer or the audience is empty.
  case emptyName

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .audienceRequired:
      "a public key may sign tokens for other services, too; say which audience (`aud`) is this server's"
    case .emptyName: "the issuer or the audience of tokens is empty; write it, or leave it out"
    }
  }
}
