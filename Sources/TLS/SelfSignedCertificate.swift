internal import CLibssl

/// A certificate that a server makes for itself, for people who check its fingerprint.
///
/// Name and expiry say nothing then, so it names no host and is valid for a hundred years.
package enum SelfSignedCertificate {
  /// Makes a key on P-256 and its certificate, both in one PEM text.
  package static func make() -> [UInt8] {
    defer { ERR_clear_error() }
    let output = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(output) }
    guard let key = unsafe p256Key(), let certificate = unsafe certificate(for: key) else {
      preconditionFailure("OpenSSL cannot make a certificate: it has no memory or no randomness.")
    }
    defer {
      unsafe EVP_PKEY_free(key)
      unsafe X509_free(certificate)
    }
    unsafe PEM_write_bio_X509(output, certificate)
    unsafe PEM_write_bio_PrivateKey(output, key, nil, nil, 0, nil, nil)
    var text = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(output))
    let count = unsafe BIO_read(output, &text, Int32(clamping: text.count))
    return Array(text.prefix(Int(max(0, count))))
  }

  private static func p256Key() -> OpaquePointer? {
    let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      unsafe EVP_PKEY_keygen(context, &key) == 1
    else { return nil }
    return unsafe key
  }

  private static func certificate(for key: OpaquePointer) -> OpaquePointer? {
    guard let certificate = unsafe X509_new() else { return nil }
    // Version 3 (RFC 5280, 4.1.2.1), and a serial number that is positive.
    unsafe X509_set_version(certificate, 2)
    unsafe ASN1_INTEGER_set_uint64(
      X509_get_serialNumber(certificate), .random(in: 1 ... .max / 2))
    // A day back, for clients whose clock is behind.
    unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
    unsafe X509_time_adj_ex(X509_getm_notAfter(certificate), 36_500, 0, nil)
    unsafe X509_set_pubkey(certificate, key)
    let name = unsafe X509_get_subject_name(certificate)
    unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "Matinee", -1, -1, 0)
    unsafe X509_set_issuer_name(certificate, name)
    guard unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
      unsafe X509_free(certificate)
      return nil
    }
    return unsafe certificate
  }
}

// OpenSSL defines it with a macro that Swift does not import (X509_NAME_add_entry_by_txt(3)).
private let MBSTRING_UTF8: Int32 = 0x1000
