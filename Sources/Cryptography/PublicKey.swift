/// A key that verifies signatures.
package struct PublicKey: Sendable {
  let handle: KeyHandle

  init(handle: KeyHandle) {
    self.handle = handle
  }

  /// Reads a key in PEM, as `openssl pkey -pubout` writes it.
  package init(pem: String) throws(KeyFault) {
    handle = try KeyHandle(pem: pem, isPrivate: false)
  }

  /// Reads a key in DER (`SubjectPublicKeyInfo`; RFC 5280, 4.1.2.7).
  package init(der: [UInt8]) throws(KeyFault) {
    handle = try KeyHandle(publicDER: der)
  }

  /// A key on P-256, from an uncompressed point of 65 bytes (SEC 1, 2.3.3).
  package init(p256Point point: [UInt8]) throws(KeyFault) {
    guard point.count == Self.pointSize, point[0] == 4 else { throw .unreadable }
    try self.init(der: DER.p256Key(point: point))
  }

  /// A key of Ed25519, from its 32 bytes (RFC 8032).
  package init(ed25519 bytes: [UInt8]) throws(KeyFault) {
    guard bytes.count == 32 else { throw .unreadable }
    try self.init(der: DER.ed25519Key(bytes))
  }

  /// A key of RSA, from big-endian numbers.
  package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyFault) {
    // Far more than is allowed; DER is written with lengths of at most two bytes.
    guard modulus.count <= 4_096, exponent.count <= 256 else {
      throw .size(bits: 8 * modulus.count)
    }
    try self.init(der: DER.rsaKey(modulus: modulus, exponent: exponent))
  }

  /// The algorithm that the key's signatures are made with.
  package var algorithm: SignatureAlgorithm { handle.algorithm }

  /// The key in DER (`SubjectPublicKeyInfo`); the same for the same key, however it was read.
  package var der: [UInt8] { handle.publicDER }

  /// The uncompressed point of a key on P-256: 65 bytes.
  package var p256Point: [UInt8]? {
    algorithm == .es256 ? Array(der.suffix(Self.pointSize)) : nil
  }

  private static let pointSize = 65

  /// Whether a signature was made with the private half, over this message.
  package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard algorithm == .es256 else { return handle.isValid(signature, for: message) }
    guard signature.count == 64 else { return false }
    let (r, s) = (signature.prefix(32), signature.suffix(32))
    return handle.isValid(DER.sequence(DER.integer(r), DER.integer(s)), for: message)
  }
}

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
