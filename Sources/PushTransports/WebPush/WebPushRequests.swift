import Crypto
import Vocabulary
import WebAddresses

/// Builds Web Push requests: RFC 8030, with bodies by RFC 8291 and tokens by RFC 8292.
struct WebPushRequests: Sendable {
  /// The longest time that push services keep a message: four weeks for the large ones.
  static let longestTimeToLive = Duration.seconds(28 * 24 * 3_600)
  /// The longest topic in characters (RFC 8030, 5.4).
  static let longestTopic = 32

  private let endpoints: PushEndpointGuard

  init(_ endpoints: PushEndpointGuard) {
    self.endpoints = endpoints
  }

  /// Builds the request for a message.
  ///
  /// - Parameter authorization: returns the field of that name for an origin; called only if a
  ///   request is built.
  func request(
    for message: PushMessage, to subscription: WebPushSubscription, at now: Instant,
    authorization: (_ origin: String) throws -> String
  ) throws(PushRefusal) -> PushRequest {
    if let fault = endpoints.fault(of: subscription.endpoint) { throw .endpoint(fault) }
    guard message.payload.count <= MessageEncryption.longestMessage else {
      throw .tooLarge(limit: MessageEncryption.longestMessage)
    }
    let timeToLive = message.expires.map { min($0 - now, Self.longestTimeToLive) } ?? .zero
    guard timeToLive >= .zero else { throw .expired }
    guard let origin = WebAddress(subscription.endpoint)?.origin else {
      throw .endpoint(.malformed)
    }
    do {
      var fields = [
        (name: "ttl", value: "\(timeToLive.components.seconds)"),
        (name: "urgency", value: message.urgency.rawValue),
        (name: "content-encoding", value: "aes128gcm"),
        (name: "content-type", value: "application/octet-stream"),
        (name: "authorization", value: try authorization(origin)),
      ]
      if let topic = message.collapseID.map(Self.topic) {
        fields.append((name: "topic", value: topic))
      }
      return PushRequest(
        url: subscription.endpoint, fields: fields,
        body: try MessageEncryption().sealed(message.payload, for: subscription))
    } catch {
      throw .cryptography("\(error)")
    }
  }

  /// The collapse id as a topic: unchanged if it is allowed, otherwise its hash.
  private static func topic(_ collapseID: String) -> String {
    CollapseName.name(collapseID, limit: longestTopic) { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Interprets an answer.
  static func verdict(on answer: PushAnswer, at now: Instant) -> PushVerdict {
    switch answer.status {
    case 404, 410: .forget(since: nil)
    default:
      PushVerdict(
        status: answer.status, reason: nil,
        asked: RetryAfter.duration(of: answer.retryAfter, at: now))
    }
  }
}

/// Encrypts a push so that only its browser can read it, and the push service cannot (RFC 8291,
/// with the coding `aes128gcm` of RFC 8188).
struct MessageEncryption {
  /// The size of a record in bytes, which every push service accepts (RFC 8291, 4).
  static let recordSize = 4_096
  /// The bytes before the record: salt, record size, key length, key.
  private static let headerSize = 16 + 4 + 1 + 65
  /// The longest message.
  ///
  /// A push service accepts 4096 bytes with the header (RFC 8030, 7.2); the end mark takes one byte
  /// and the tag 16.
  static let longestMessage = recordSize - headerSize - 1 - 16

  /// Random, new for each message.
  let salt: [UInt8]
  /// The server's half of the key agreement, new for each message.
  let sender: P256.KeyAgreement.PrivateKey

  /// Generates a new salt and a new key.
  init() {
    self.init(
      // The system's generator is cryptographically secure.
      salt: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
      sender: P256.KeyAgreement.PrivateKey())
  }

  init(salt: [UInt8], sender: P256.KeyAgreement.PrivateKey) {
    self.salt = salt
    self.sender = sender
  }

  /// The request body with the encrypted message.
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
    // The first block of the HKDF expansion as bytes (RFC 5869, 2.3); the library returns only
    // keys.
    let nonce = HMAC<SHA256>.authenticationCode(
      for: Array("Content-Encoding: nonce\0\u{1}".utf8), using: SymmetricKey(data: root))
    // The 2 marks the last record.
    let box = try AES.GCM.seal(
      message + [2], using: key,
      nonce: AES.GCM.Nonce(data: Array(nonce.prefix(12))))
    let size = UInt32(Self.recordSize)
    let sizeBytes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
    return salt + sizeBytes + [UInt8(ownKey.count)] + ownKey + box.ciphertext + box.tag
  }
}
