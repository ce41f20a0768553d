/// Why a token is not accepted.
///
/// No case and no text holds any part of the token, because faults are logged.
package enum TokenFault: Error, Equatable, Sendable {
  /// It has more bytes than a token may have.
  case tooLong(limit: Int)
  /// It is not three parts in Base64URL with dots between them, of which the first two are objects
  /// in JSON.
  case malformed
  /// The header or the claims name a field twice, which two readers would read differently.
  case repeatedField
  /// The header names another algorithm than the key's, such as `none`.
  case algorithm(expected: String)
  /// The server's keys have names, and the header names none of them.
  case unknownKey
  /// The header asks for an extension (`crit`), and the server knows none.
  case extensionRequired
  /// The key did not sign it, or it was changed.
  case signature
  /// This required claim is absent.
  case missing(claim: String)
  /// This claim is not what it has to be.
  case invalid(claim: String, allowed: String)
  /// `exp` has passed.
  case expired
  /// `nbf` has not come yet.
  case notYetValid
  /// `iss` is not the configured issuer.
  case issuer
  /// `aud` does not name the configured audience, or names one although none is configured.
  case audience
}

extension TokenFault {
  /// The word for what is wrong, as a client is told; it names no part of the token.
  package var reason: String {
    switch self {
    case .tooLong: "tooLong"
    case .malformed, .repeatedField, .invalid: "malformed"
    case .algorithm: "algorithm"
    case .unknownKey: "key"
    case .extensionRequired: "crit"
    case .signature: "signature"
    case .missing(let claim): claim
    case .expired: "expired"
    case .notYetValid: "notYetValid"
    case .issuer: "issuer"
    case .audience: "audience"
    }
  }
}

extension TokenFault: CustomStringConvertible {
  /// What is wrong and what to do, for the developer who made the token.
  package var description: String {
    switch self {
    case .tooLong(let limit):
      "the token has more than \(limit) bytes; put fewer groups into it"
    case .malformed:
      "this is not a JWT; send header.claims.signature, each in Base64URL without `=`"
    case .repeatedField:
      "the token's header or claims name a field twice; name it once"
    case .algorithm(let expected):
      "the token's `alg` is not the key's algorithm; sign with \(expected)"
    case .unknownKey:
      "the token's `kid` names no key of the server; name the key that signed, or give it to the server"
    case .extensionRequired:
      "the token requires extensions with `crit`, and the server knows none; leave `crit` out"
    case .signature:
      "the token was not signed with the server's key, or was changed; check which key signs"
    case .missing(let claim):
      "the token has no `\(claim)`; add it"
    case .invalid(let claim, let allowed):
      "the token's `\(claim)` must be \(allowed)"
    case .expired:
      "the token has expired; get a new one, and check both clocks if it is new"
    case .notYetValid:
      "the token is not valid yet; check the clocks of both machines"
    case .issuer:
      "the token's `iss` is not the issuer that the server expects; make the two the same"
    case .audience:
      "the token's `aud` is not the audience that the server is configured with; make the two the same"
    }
  }
}

/// Why a text is no key for tokens.
///
/// No case and no text holds any part of the file, because faults are logged.
package indirect enum TokenKeyFault: Error, Equatable, Sendable {
  case empty
  /// A secret has fewer bytes than ``TokenKeys/shortestSecret``.
  case shortSecret
  /// It is a key or a certificate in DER or of SSH's, or one in PEM or JSON in another encoding than
  /// UTF-8: public, so no secret.
  case notPEM
  /// The server needs the public half, and this is the private one.
  case privateKey
  /// Signing needs a private key or a secret, and this is neither.
  case publicKey
  /// It is a certificate.
  case certificate
  /// It is PEM, but no key can be read from it, or it is encrypted.
  case unreadable
  /// It is a key of another kind than P-256, Ed25519 and RSA.
  case unsupported
  /// An RSA key has this number of bits.
  case size(bits: Int)
  /// It is JSON, but not a set of keys (RFC 7517, 5).
  case notSet
  /// No key in the set is for verifying signatures of a known kind.
  case noKeyInSet
  /// A key in the set, counted from 1, lacks its `kid`, or has another's.
  case keyID(number: Int)
  /// Something is wrong with a key in the set, counted from 1.
  case key(number: Int, TokenKeyFault)
}

extension TokenKeyFault: CustomStringConvertible {
  /// What is wrong.
  package var problem: String {
    switch self {
    case .empty: "the file is empty"
    case .shortSecret: "the secret has fewer than \(TokenKeys.shortestSecret) bytes"
    case .notPEM: "this is a key or a certificate, but not in PEM in UTF-8"
    case .privateKey: "this is a private key, and the server needs the public half only"
    case .publicKey: "this is a public key, and it cannot sign"
    case .certificate: "this is a certificate"
    case .unreadable: "no key can be read from it"
    case .unsupported: "this is a key of another kind than P-256, Ed25519 and RSA"
    case .size(let bits): "an RSA key of \(bits) bits is not accepted"
    case .notSet: "this is JSON, but not a set of keys"
    case .noKeyInSet: "no key of the set verifies signatures of a known kind"
    case .keyID(let number): "key \(number) of the set has no `kid` of its own"
    case .key(let number, let fault): "key \(number) of the set: \(fault.problem)"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .empty: "write the key into it"
    case .shortSecret: "make one with: (umask 077; openssl rand -hex 32 > FILE)"
    case .notPEM: "write it as PEM, such as with: openssl pkey -pubin -inform DER -in FILE"
    case .privateKey: "write the public half: openssl pkey -in FILE -pubout"
    case .publicKey: "name the file with the private key or with the secret"
    case .certificate: "write its key: openssl x509 -in FILE -noout -pubkey"
    case .unreadable: "check that it is the right file, complete and not encrypted"
    case .unsupported, .noKeyInSet: "sign with ES256, EdDSA, RS256 or HS256"
    case .size: "take 2048 to 8192 bits"
    case .notSet: #"write {"keys":[…]}, as RFC 7517 says"#
    case .keyID: "give each key a `kid`, by which tokens name it"
    case .key(_, let fault): fault.advice
    }
  }

  /// Problem and advice, for a log.
  package var description: String { "\(problem); \(advice)" }
}
