internal import CLibssl

/// What a server proves itself by: a certificate with its chain, and the private key.
package struct TLSIdentity: Sendable {
  /// The fingerprint of the public key.
  package let fingerprint: KeyFingerprint
  /// How long the certificate is still valid, in seconds; negative once it has expired.
  package let remainingSeconds: Int64
  /// How long until the certificate is valid, in seconds; negative once it is.
  package let waitingSeconds: Int64
  private let contexts: [ApplicationProtocol: TLSContext]

  /// Reads a certificate and its key.
  ///
  /// - Parameters:
  ///   - certificates: PEM, the server's certificate first and its chain behind it.
  ///   - key: PEM, without a passphrase; it may stand in the same text.
  /// - Throws: which of both is wrong.
  package init(certificates: [UInt8], key: [UInt8]) throws(TLSIdentityFault) {
    defer { ERR_clear_error() }
    let chain = try Certificate.all(inPEM: certificates)
    let leaf = unsafe chain[0].raw
    guard let privateKey = unsafe Self.privateKey(in: key) else { throw .noKey }
    defer { unsafe EVP_PKEY_free(privateKey) }
    guard unsafe X509_check_private_key(leaf, privateKey) == 1 else {
      let belongs = chain.contains { unsafe X509_check_private_key($0.raw, privateKey) == 1 }
      throw belongs ? .misplaced : .mismatch
    }
    guard let fingerprint = unsafe KeyFingerprint(of: leaf) else { throw .noCertificate }
    self.fingerprint = fingerprint
    remainingSeconds = unsafe Self.seconds(until: X509_get0_notAfter(leaf))
    waitingSeconds = unsafe Self.seconds(until: X509_get0_notBefore(leaf))
    var contexts: [ApplicationProtocol: TLSContext] = [:]
    for spoken in ApplicationProtocol.allCases {
      contexts[spoken] = try unsafe Self.context(chain, privateKey, speaking: spoken)
    }
    self.contexts = contexts
  }

  /// The settings for connections with a protocol.
  func context(for spoken: ApplicationProtocol) -> TLSContext {
    guard let context = contexts[spoken] else { preconditionFailure("Each protocol has settings.") }
    return context
  }

  private static func context(
    _ chain: [Certificate], _ key: OpaquePointer, speaking spoken: ApplicationProtocol
  ) throws(TLSIdentityFault) -> TLSContext {
    let context = unsafe TLSContext(TLS_server_method())
    try unsafe context.show(chain, key)
    unsafe spoken.choose(in: context.raw)
    if spoken == .link { context.askForCertificate() }
    return context
  }

  fileprivate static func privateKey(in pem: [UInt8]) -> OpaquePointer? {
    let bio = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count))
    defer { unsafe BIO_free(bio) }
    // Without this function OpenSSL would ask for a passphrase on the terminal.
    return unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
  }

  private static func seconds(until time: UnsafePointer<ASN1_TIME>?) -> Int64 {
    var (days, seconds): (Int32, Int32) = (0, 0)
    unsafe ASN1_TIME_diff(&days, &seconds, nil, time)
    return Int64(days) * 86_400 + Int64(seconds)
  }
}

extension TLSContext {
  /// Shows the certificate of a text in PEM to the other side.
  func show(_ pem: [UInt8]) throws(TLSIdentityFault) {
    defer { ERR_clear_error() }
    guard let key = unsafe TLSIdentity.privateKey(in: pem) else { throw .noKey }
    defer { unsafe EVP_PKEY_free(key) }
    try unsafe show(try Certificate.all(inPEM: pem), key)
  }

  /// Shows a chain of certificates to the other side.
  fileprivate func show(_ chain: [Certificate], _ key: OpaquePointer) throws(TLSIdentityFault) {
    guard unsafe SSL_CTX_use_certificate(raw, chain[0].raw) == 1,
      unsafe SSL_CTX_use_PrivateKey(raw, key) == 1
    else { throw .weak }
    for link in chain.dropFirst() {
      // The context takes a reference of its own.
      unsafe SSL_CTX_ctrl(raw, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(link.raw))
    }
  }

  /// Refuses clients without a certificate.
  ///
  /// Whose it is, the session checks by its key; no authority vouches for it.
  fileprivate func askForCertificate() {
    unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { _, _ in 1 }
  }
}

/// Why a certificate and a key cannot be used.
package enum TLSIdentityFault: Error, Equatable, Sendable {
  /// The text has no certificate in PEM.
  case noCertificate
  /// The text has no private key in PEM, or one with a passphrase.
  case noKey
  /// The key belongs to another certificate.
  case mismatch
  /// The key belongs to a certificate of the text that is not the first one.
  case misplaced
  /// OpenSSL refuses it, such as an RSA key of 1,024 bits.
  case weak
}

/// A certificate in OpenSSL's memory, freed with the last reference.
@safe final class Certificate {
  let raw: OpaquePointer

  private init(taking raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit {
    unsafe X509_free(raw)
  }

  /// The certificates of a text in PEM, at least one.
  static func all(inPEM pem: [UInt8]) throws(TLSIdentityFault) -> [Certificate] {
    let bio = unsafe BIO_new_mem_buf(pem, Int32(clamping: pem.count))
    defer {
      unsafe BIO_free(bio)
      ERR_clear_error()
    }
    var all: [Certificate] = []
    while let raw = unsafe PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) {
      all.append(unsafe Certificate(taking: raw))
    }
    // The end of the text is such an error, too; a broken certificate is another one.
    guard ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE, !all.isEmpty else {
      throw .noCertificate
    }
    return all
  }
}

extension KeyFingerprint {
  /// The fingerprint of a certificate's public key.
  init?(of certificate: OpaquePointer) {
    var der: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
    defer { unsafe CRYPTO_free(der, nil, 0) }
    guard count > 0 else { return nil }
    var hash = [UInt8](repeating: 0, count: Self.size)
    guard unsafe EVP_Digest(der, Int(count), &hash, nil, EVP_sha256(), nil) == 1 else { return nil }
    self.init(hash)
  }
}
