/// The algorithms that sign with a pair of keys; each kind of key has exactly one (RFC 7518, 8037).
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256; a signature is `r` and `s`, 32 bytes each.
  case es256 = "ES256"
  /// Ed25519 (RFC 8032); a signature has 64 bytes.
  case edDSA = "EdDSA"
  /// RSA with PKCS #1 v1.5 and SHA-256; a signature is as long as the modulus.
  case rs256 = "RS256"
}

/// Why bytes or a text are no usable key.
package enum KeyFault: Error, Equatable, Sendable {
  /// No key can be read from it, or it is encrypted, or its numbers do not fit together.
  case unreadable
  /// It is a key, but neither of P-256, nor of Ed25519, nor of RSA.
  case unsupported
  /// It is a key of RSA whose modulus has this number of bits, fewer or more than allowed.
  case size(bits: Int)
}
