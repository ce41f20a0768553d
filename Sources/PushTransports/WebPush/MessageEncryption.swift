import Crypto

/// Encrypts a push so that only the browser it is for can read it (RFC 8291, in the coding
/// `aes128gcm` of RFC 8188), and the push service cannot.
struct MessageEncryption {
  /// The size of a record in bytes, which every push service takes whole (RFC 8291, 4).
  static let recordSize = 4_096
  /// What stands before the record: salt, size, length of the key, key.
  private static let headerSize = 16 + 4 + 1 + 65
  /// The longest message: a push service takes 4096 bytes with the header (RFC 8030, 7.2), of which
  /// the end mark takes one and the tag 16.
  static let longestMessage = recordSize - headerSize - 1 - 16

  /// Random, another one for each message.
  let salt: [UInt8]
  /// The server's half of the agreement, another one for each message.
  let sender: P256.KeyAgreement.PrivateKey

  /// With a new salt and a new key.
  init() {
    self.init(
      // The system's generator is fit for secrets.
      salt: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
      sender: P256.KeyAgreement.PrivateKey())
  }

  init(salt: [UInt8], sender: P256.KeyAgreement.PrivateKey) {
    self.salt = salt
    self.sender = sender
  }

  /// The body of the request that carries the message.
  func sealed(_ message: [UInt8], for subscription: WebPushSubscription) throws -> [UInt8] {
    let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
    let ownKey = Array(sender.publicKey.x963Representation)
    let agreed = try sender.sharedSecretFromKeyAgreement(with: receiver)
    let material = agreed.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: subscription.authentication,
      sharedInfo: Array("WebPush: info\0".utf8) + subscription.publicKey + ownKey,
      outputByteCount: 32)
    let root = HKDF<SHA256>.extract(inputKeyMaterial: material, salt: salt)
    let key = HKDF<SHA256>.expand(
      pseudoRandomKey: root, info: Array("Content-Encoding: aes128gcm\0".utf8),
      outputByteCount: 16)
    // The first block of what HKDF expands to, as bytes and not as a key (RFC 5869, 2.3).
    let nonce = HMAC<SHA256>.authenticationCode(
      for: Array("Content-Encoding: nonce\0\u{1}".utf8), using: SymmetricKey(data: root))
    // The 2 marks the end of the last record.
    let box = try AES.GCM.seal(
      message + [2], using: key,
      nonce: AES.GCM.Nonce(data: Array(nonce.prefix(12))))
    let size = UInt32(Self.recordSize)
    let sizeBytes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
    return salt + sizeBytes + [UInt8(ownKey.count)] + ownKey + box.ciphertext + box.tag
  }
}
