import Cryptography
import Vocabulary
import WebAddresses

/// Builds Web Push requests: RFC 8030, with bodies by RFC 8291 and tokens by RFC 8292.
struct WebPushRequests: Sendable {
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
    let timeToLive = message.expires.map { min($0 - now, Limits.pushLifetime) } ?? .zero
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

  /// Interprets an answer that arrives at a time of day.
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
  let sender: PrivateKey

  /// Generates a new salt and a new key.
  init() {
    self.init(
      // The system's generator is cryptographically secure.
      salt: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
      sender: PrivateKey.newP256())
  }

  init(salt: [UInt8], sender: PrivateKey) {
    self.salt = salt
    self.sender = sender
  }

  /// The request body with the encrypted message.
  func sealed(_ message: [UInt8], for subscription: WebPushSubscription) throws -> [UInt8] {
    let receiver = try PublicKey(p256Point: subscription.publicKey)
    guard let ownKey = sender.publicKey.p256Point else { throw KeyFault.unsupported }
    let agreed = try sender.sharedSecret(with: receiver)
    let material = SharedSecret(extractedFrom: agreed, salt: subscription.authentication)
      .derivedKey(
        for: Array("WebPush: info\0".utf8) + subscription.publicKey + ownKey, size: 32)
    let root = SharedSecret(extractedFrom: material, salt: salt)
    let cipher = AES128GCM(
      key: root.derivedKey(
        for: Array("Content-Encoding: aes128gcm\0".utf8), size: AES128GCM.keySize),
      nonce: root.derivedKey(
        for: Array("Content-Encoding: nonce\0".utf8), size: AES128GCM.nonceSize))
    // The 2 marks the last record.
    let record = try cipher.sealed(message + [2])
    let size = UInt32(Self.recordSize)
    let sizeBytes = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
    return salt + sizeBytes + [UInt8(ownKey.count)] + ownKey + record
  }
}
