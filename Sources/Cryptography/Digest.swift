import CLibcrypto

/// The hash of a message.
///
/// Two digests are compared in constant time, because some are hashes of secrets.
package struct Digest: Equatable, Sendable {
  /// The hash: 32 bytes for SHA-256, 20 for SHA-1, 16 for MD5.
  package let bytes: [UInt8]

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package static func == (left: Digest, right: Digest) -> Bool {
    areEqual(left.bytes, right.bytes)
  }

  /// The hash in lowercase hexadecimal.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// SHA-256 (FIPS 180-4).
  package static func sha256(of message: [UInt8]) -> Digest {
    unsafe digest(of: message, by: EVP_sha256())
  }

  /// SHA-1, which protects nothing; Syncplay's protocol requires it.
  package static func sha1(of message: [UInt8]) -> Digest {
    unsafe digest(of: message, by: EVP_sha1())
  }

  /// MD5, which protects nothing; Syncplay's protocol requires it.
  package static func md5(of message: [UInt8]) -> Digest {
    unsafe digest(of: message, by: EVP_md5())
  }

  private static func digest(of message: [UInt8], by algorithm: OpaquePointer?) -> Digest {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard unsafe EVP_Digest(message, message.count, &bytes, &count, algorithm, nil) == 1 else {
      preconditionFailure("OpenSSL cannot hash: it has no memory, or its default provider is off.")
    }
    return Digest(bytes: Array(bytes.prefix(Int(count))))
  }
}

/// A secret that two sides share, to authenticate messages with HMAC-SHA256 (RFC 2104).
///
/// Two secrets are compared in constant time.
package struct SharedSecret: Equatable, Sendable {
  /// The number of bytes of an authentication code.
  package static let codeSize = 32

  private let bytes: [UInt8]

  /// Makes a secret from bytes of a cryptographically secure generator.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package static func == (left: SharedSecret, right: SharedSecret) -> Bool {
    areEqual(left.bytes, right.bytes)
  }

  /// The authentication code of a message.
  package func code(for message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Self.codeSize)
    var count: UInt32 = 0
    let made = unsafe HMAC(
      EVP_sha256(), bytes, Int32(clamping: bytes.count), message, message.count, &code, &count)
    guard unsafe made != nil, count == Self.codeSize else {
      preconditionFailure("OpenSSL cannot compute HMAC-SHA256: it has no memory.")
    }
    return code
  }

  /// A uniform secret from the secret of a key agreement (HKDF-Extract with SHA-256; RFC 5869, 2.2).
  package init(extractedFrom material: [UInt8], salt: [UInt8]) {
    self.init(SharedSecret(salt).code(for: material))
  }

  /// A key of at most 32 bytes for one purpose, from a uniform secret (HKDF-Expand with SHA-256; RFC
  /// 5869, 2.3).
  package func derivedKey(for purpose: [UInt8], size: Int) -> [UInt8] {
    precondition((0...Self.codeSize).contains(size), "one block of HKDF")
    return Array(code(for: purpose + [1]).prefix(size))
  }

  /// Whether a code is the one of a message, compared in constant time.
  package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
    areEqual(self.code(for: message), code)
  }
}

/// A secret shows none of its bytes, not even where a value that holds it is dumped into a log.
extension SharedSecret: CustomStringConvertible, CustomReflectable {
  package var description: String { "a secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether two byte strings are equal, compared in a time that only depends on their lengths.
package func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
