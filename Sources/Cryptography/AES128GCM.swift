import CLibcrypto

/// Encryption that nobody can read or change without the key: AES with 128 bits in the mode GCM (NIST
/// SP 800-38D).
package struct AES128GCM: Sendable {
  package static let keySize = 16
  package static let nonceSize = 12
  package static let tagSize = 16

  private let key: [UInt8]
  private let nonce: [UInt8]

  /// A cipher for one message.
  ///
  /// - Parameters:
  ///   - key: ``keySize`` bytes.
  ///   - nonce: ``nonceSize`` bytes, which must never be used twice with the same key.
  package init(key: [UInt8], nonce: [UInt8]) {
    precondition(key.count == Self.keySize && nonce.count == Self.nonceSize, "sizes of AES-128-GCM")
    self.key = key
    self.nonce = nonce
  }

  /// The encrypted message with its tag behind it.
  package func sealed(_ message: [UInt8]) throws(CryptographyFault) -> [UInt8] {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    // One byte more, because OpenSSL is called with its address even if the message is empty.
    var bytes = [UInt8](repeating: 0, count: message.count + 1)
    var tag = [UInt8](repeating: 0, count: Self.tagSize)
    var (count, rest): (Int32, Int32) = (0, 0)
    guard unsafe EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
      unsafe EVP_EncryptUpdate(context, &bytes, &count, message, Int32(message.count)) == 1,
      unsafe EVP_EncryptFinal_ex(context, &tag, &rest) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    else {
      ERR_clear_error()
      throw CryptographyFault()
    }
    return bytes.dropLast() + tag
  }

  /// The message in ``sealed(_:)``; `nil` if it was sealed with another key, or changed.
  package func opened(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagSize else { return nil }
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let message = Array(sealed.dropLast(Self.tagSize))
    var tag = Array(sealed.suffix(Self.tagSize))
    var bytes = [UInt8](repeating: 0, count: message.count + 1)
    var (count, rest): (Int32, Int32) = (0, 0)
    var end = [UInt8](repeating: 0, count: Self.tagSize)
    guard unsafe EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
      unsafe EVP_DecryptUpdate(context, &bytes, &count, message, Int32(message.count)) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
      unsafe EVP_DecryptFinal_ex(context, &end, &rest) == 1
    else {
      ERR_clear_error()
      return nil
    }
    return bytes.dropLast()
  }
}
