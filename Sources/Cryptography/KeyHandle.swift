import CLibcrypto

/// A key in OpenSSL's memory, freed with the last reference; the one place that calls `EVP_PKEY`.
///
/// OpenSSL never changes a key that has been read, and guards what it caches in one with a lock, so
/// threads may share it.
@safe final class KeyHandle: @unchecked Sendable {
  private let key: OpaquePointer
  let algorithm: SignatureAlgorithm

  /// The sizes of RSA keys in bits: shorter ones are too weak (RFC 7518, 3.3), and verifying with
  /// longer ones would hold up the loop.
  private static let rsaBits = 2_048...8_192

  /// Takes a key over, after checking what it is.
  private init(_ read: OpaquePointer?, isPrivate: Bool) throws(KeyFault) {
    // An error that stayed in the thread's queue would be taken for one of the next TLS call.
    defer { ERR_clear_error() }
    guard let read = unsafe read else { throw .unreadable }
    do throws(KeyFault) {
      algorithm = try unsafe Self.algorithm(of: read)
      try unsafe Self.check(read, algorithm, isPrivate: isPrivate)
    } catch {
      unsafe EVP_PKEY_free(read)
      throw error
    }
    unsafe key = read
  }

  deinit {
    unsafe EVP_PKEY_free(key)
  }

  private static func algorithm(of key: OpaquePointer) throws(KeyFault) -> SignatureAlgorithm {
    if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 { return .edDSA }
    if unsafe EVP_PKEY_is_a(key, "RSA") == 1 { return .rs256 }
    guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { throw .unsupported }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1,
      name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) })
    else { throw .unsupported }
    // Else a key that was read with a compressed point would be written with one.
    guard
      unsafe EVP_PKEY_set_utf8_string_param(
        key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed") == 1
    else { throw .unreadable }
    return .es256
  }

  /// Checks the size, that a point is on its curve, and that a private key fits its public half.
  private static func check(
    _ key: OpaquePointer, _ algorithm: SignatureAlgorithm, isPrivate: Bool
  ) throws(KeyFault) {
    if algorithm == .rs256 {
      let bits = Int(unsafe EVP_PKEY_get_bits(key))
      guard rsaBits.contains(bits) else { throw .size(bits: bits) }
    }
    let context = unsafe EVP_PKEY_CTX_new(key, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    let isGood =
      isPrivate ? unsafe EVP_PKEY_check(context) : unsafe EVP_PKEY_public_check(context)
    guard isGood == 1 else { throw .unreadable }
  }
}

/// Reading and making.
extension KeyHandle {
  /// A public key in DER (`SubjectPublicKeyInfo`).
  convenience init(publicDER bytes: [UInt8]) throws(KeyFault) {
    let read = unsafe bytes.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      let read = unsafe d2i_PUBKEY(nil, &start, bytes.count)
      guard unsafe read == nil || start == bytes.baseAddress?.advanced(by: bytes.count) else {
        unsafe EVP_PKEY_free(read)
        return unsafe nil as OpaquePointer?
      }
      return unsafe read
    }
    try unsafe self.init(read, isPrivate: false)
  }

  /// A private key on P-256 in DER (RFC 5915).
  convenience init(privateP256DER bytes: [UInt8]) throws(KeyFault) {
    let read = unsafe bytes.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &start, bytes.count)
    }
    try unsafe self.init(read, isPrivate: true)
  }

  /// A key in PEM; text before and after it is ignored.
  convenience init(pem text: String, isPrivate: Bool) throws(KeyFault) {
    let bytes = Array(text.utf8)
    let read = unsafe bytes.withUnsafeBytes { bytes in
      let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
      defer { _ = unsafe BIO_free(source) }
      return isPrivate
        ? unsafe PEM_read_bio_PrivateKey(source, nil, noPassword, nil)
        : unsafe PEM_read_bio_PUBKEY(source, nil, noPassword, nil)
    }
    try unsafe self.init(read, isPrivate: isPrivate)
  }

  /// A new private key on P-256.
  static func newP256() -> KeyHandle {
    let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      unsafe EVP_PKEY_keygen(context, &made) == 1
    else { preconditionFailure("OpenSSL cannot make a key: it has no memory or no random bytes.") }
    do throws(KeyFault) {
      return try unsafe KeyHandle(made, isPrivate: true)
    } catch {
      preconditionFailure("OpenSSL made a key that is none: \(error).")
    }
  }
}

/// Has no password for an encrypted key; without this function, OpenSSL would ask at the terminal.
private func noPassword(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

/// Writing.
extension KeyHandle {
  /// The public half in DER (`SubjectPublicKeyInfo`).
  var publicDER: [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_PUBKEY(key, &bytes)
    guard count > 0, let start = unsafe bytes else {
      preconditionFailure("OpenSSL cannot write a public key: it has no memory.")
    }
    defer { unsafe CRYPTO_free(start, nil, 0) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// The private key in PEM (PKCS #8).
  var privatePEM: String {
    let sink = unsafe BIO_new(BIO_s_mem())
    defer { _ = unsafe BIO_free(sink) }
    guard unsafe PEM_write_bio_PrivateKey(sink, key, nil, nil, 0, nil, nil) == 1 else {
      preconditionFailure("OpenSSL cannot write a private key: it has no memory, or it is public.")
    }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe BIO_read(sink, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
  }
}

/// Agreeing, signing and verifying, with ECDSA's signatures in DER.
extension KeyHandle {
  /// The hash that is signed; Ed25519 hashes by itself.
  private var hash: OpaquePointer? { algorithm == .edDSA ? nil : unsafe EVP_sha256() }

  /// - Returns: `nil` if the keys are of different kinds, or OpenSSL has no memory.
  func sharedSecret(with other: KeyHandle) -> [UInt8]? {
    defer { ERR_clear_error() }
    let context = unsafe EVP_PKEY_CTX_new(key, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: 64)
    var count = secret.count
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe EVP_PKEY_derive_set_peer(context, other.key) == 1,
      unsafe EVP_PKEY_derive(context, &secret, &count) == 1
    else { return nil }
    return Array(secret.prefix(count))
  }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, hash, nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// - Returns: `nil` if OpenSSL has no memory or no random bytes.
  func signature(of message: [UInt8]) -> [UInt8]? {
    defer { ERR_clear_error() }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = Int(unsafe EVP_PKEY_get_size(key))
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSignInit(context, nil, hash, nil, key) == 1,
      unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { return nil }
    return Array(signature.prefix(count))
  }
}
