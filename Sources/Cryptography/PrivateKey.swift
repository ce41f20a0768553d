/// A key that signs.
package struct PrivateKey: Sendable {
  private let handle: KeyHandle

  private init(handle: KeyHandle) {
    self.handle = handle
  }

  package static func newP256() -> PrivateKey { PrivateKey(handle: .newP256()) }

  /// Reads a key in PEM (PKCS #8, SEC 1, PKCS #1) that is not encrypted.
  package init(pem: String) throws(KeyFault) {
    handle = try KeyHandle(pem: pem, isPrivate: true)
  }

  /// A key on P-256, from its 32 bytes.
  package init(p256 bytes: [UInt8]) throws(KeyFault) {
    guard bytes.count == 32 else { throw .unreadable }
    handle = try KeyHandle(privateP256DER: DER.p256PrivateKey(bytes))
  }

  /// The algorithm that the key signs with.
  package var algorithm: SignatureAlgorithm { handle.algorithm }

  /// The public half.
  package var publicKey: PublicKey { PublicKey(handle: handle) }

  /// The key in PEM (PKCS #8), for a file that only its owner can read.
  package var pem: String { handle.privatePEM }

  /// Signs a message; the signature has the form that ``SignatureAlgorithm`` says.
  package func signature(of message: [UInt8]) throws(CryptographyFault) -> [UInt8] {
    guard let signature = handle.signature(of: message) else { throw CryptographyFault() }
    guard algorithm == .es256 else { return signature }
    guard let pair = DER.pair(signature, size: 32) else { throw CryptographyFault() }
    return pair
  }
}

extension PrivateKey {
  /// The secret that two keys on P-256 share (ECDH; NIST SP 800-56A): 32 bytes, from which keys are
  /// derived.
  ///
  /// - Throws: `unsupported` if one of the two is another kind of key.
  package func sharedSecret(with key: PublicKey) throws(KeyFault) -> [UInt8] {
    guard algorithm == .es256, key.algorithm == .es256 else { throw .unsupported }
    guard let secret = handle.sharedSecret(with: key.handle) else { throw .unreadable }
    return secret
  }
}

/// OpenSSL failed at what can only fail if it has no memory or no random bytes.
package struct CryptographyFault: Error, Equatable, Sendable {
  package init() {}
}
