import Crypto
package import PushTransports
import Vocabulary

/// A browser for tests: it subscribes, and decrypts pushes.
package struct LocalBrowser: Sendable {
  private let key: P256.KeyAgreement.PrivateKey
  private let authentication: [UInt8]

  /// Makes a browser with new keys.
  package init() {
    key = P256.KeyAgreement.PrivateKey()
    authentication = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// Makes a browser with the keys of an example, in Base64URL.
  package init(key: String, auth: String) throws {
    self.key = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: Base64URL.bytes(of: key) ?? [])
    authentication = Base64URL.bytes(of: auth) ?? []
  }

  /// Its subscription at an endpoint.
  package func subscription(at endpoint: String) throws -> WebPushSubscription {
    try WebPushSubscription(endpoint: endpoint, p256dh: p256dh, auth: auth)
  }

  /// Its public key in Base64URL.
  package var p256dh: String { Base64URL.text(of: Array(key.publicKey.x963Representation)) }

  /// The secret that it shares with senders, in Base64URL.
  package var auth: String { Base64URL.text(of: authentication) }

  /// Decrypts a body (RFC 8188 and 8291), independently of the code that encrypts.
  package func open(_ body: [UInt8]) throws -> String {
    guard body.count > 21, body.count >= 21 + Int(body[20]) else { throw Failure.header }
    let salt = Array(body[..<16])
    let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
    let senderKey = Array(body[21..<(21 + Int(body[20]))])
    let record = Array(body[(21 + Int(body[20]))...])
    guard record.count <= recordSize, record.count > 16 else { throw Failure.record }
    let sender = try P256.KeyAgreement.PublicKey(x963Representation: senderKey)
    let agreed = try key.sharedSecretFromKeyAgreement(with: sender)
    var first = HMAC<SHA256>(key: SymmetricKey(data: authentication))
    first.update(data: unsafe agreed.withUnsafeBytes { unsafe Array($0) })
    let material = Self.expanded(
      Array(first.finalize()),
      Array("WebPush: info\0".utf8) + key.publicKey.x963Representation + senderKey, 32)
    var second = HMAC<SHA256>(key: SymmetricKey(data: salt))
    second.update(data: material)
    let root = Array(second.finalize())
    let box = try AES.GCM.SealedBox(
      nonce: AES.GCM.Nonce(data: Self.expanded(root, Array("Content-Encoding: nonce\0".utf8), 12)),
      ciphertext: record.dropLast(16), tag: record.suffix(16))
    let key = Self.expanded(root, Array("Content-Encoding: aes128gcm\0".utf8), 16)
    let opened = Array(try AES.GCM.open(box, using: SymmetricKey(data: key)))
    // Zeros may pad the last record after its mark.
    guard let mark = opened.lastIndex(where: { $0 != 0 }), opened[mark] == 2 else {
      throw Failure.mark
    }
    return String(decoding: opened[..<mark], as: UTF8.self)
  }

  /// One HKDF block, which suffices for these lengths (RFC 5869, 2.3).
  private static func expanded(_ key: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
    let block = HMAC<SHA256>.authenticationCode(
      for: info + [1], using: SymmetricKey(data: key))
    return Array(Array(block).prefix(count))
  }

  private enum Failure: Error { case header, record, mark }
}
