internal import CLibssl

/// Why a connection is not secured, or is no longer.
package enum TLSFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The peer speaks another protocol, such as one without encryption.
  case notTLS
  /// The peer speaks without encryption where it is required.
  case plaintext
  /// The peer speaks TLS, and this side has no certificate.
  case noIdentity
  /// No authority that this side trusts vouches for the server's certificate; OpenSSL's reason.
  case untrusted(String)
  /// The server has another key than the one with the expected fingerprint.
  case otherKey(KeyFingerprint)
  /// The connection ended before it was secured.
  case ended
  /// The other side makes this one answer, such as by asking for new keys, and does not read.
  case unread
  /// Anything else, in OpenSSL's words.
  case failed(String)

  /// What is wrong, and what to do if anything can be done.
  package var description: String {
    switch self {
    case .notTLS: "the other side does not speak TLS"
    case .plaintext: "the other side does not encrypt, and has to"
    case .noIdentity: "the other side speaks TLS, and there is no certificate"
    case .untrusted(let reason):
      "the server's certificate is not trusted (\(reason)); name its authority, or use a link with "
        + "its fingerprint"
    case .otherKey(let fingerprint):
      "this is not the server that was meant: its key has the fingerprint \(fingerprint)"
    case .ended: "the connection ended before it was secured"
    case .unread: "the other side asks for answers of TLS, and does not read them"
    case .failed(let reason): "TLS failed (\(reason))"
    }
  }

  /// The first error in this thread's queue of OpenSSL, which is emptied.
  init(queuedAfter operation: String) {
    let code = ERR_peek_error()
    ERR_clear_error()
    let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
    switch ERR_GET_REASON(code) {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
      SSL_R_UNEXPECTED_MESSAGE:
      self = .notTLS
    default: self = .failed(reason ?? operation)
    }
  }
}

/// The SHA-256 hash of a public key in DER (`SubjectPublicKeyInfo`; RFC 7469, 2.4).
package struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// A fingerprint; `nil` unless it has 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  package static let size = 32

  /// The fingerprint in hexadecimal, as other programs show it.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return "sha256:"
      + String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
