import Cryptography
package import PushTransports
import Vocabulary

/// A browser for tests: it subscribes, and decrypts pushes.
package struct LocalBrowser: Sendable {
  private let key: PrivateKey
  private let authentication: [UInt8]

  /// Makes a browser with new keys.
  package init() {
    key = .newP256()
    authentication = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// Makes a browser with the keys of an example, in Base64URL.
  package init(key: String, auth: String) throws {
    self.key = try PrivateKey(p256: Base64URL.bytes(of: key) ?? [])
    authentication = Base64URL.bytes(of: auth) ?? []
  }

  /// Its subscription at an endpoint.
  package func subscription(at endpoint: String) throws -> WebPushSubscription {
    try WebPushSubscription(endpoint: endpoint, p256dh: p256dh, auth: auth)
  }

  /// Its public key in Base64URL.
  package var p256dh: String { Base64URL.text(of: publicKey) }

  private var publicKey: [UInt8] { key.publicKey.p256Point ?? [] }

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
    let agreed = try key.sharedSecret(with: PublicKey(p256Point: senderKey))
    let material = Self.expanded(
      SharedSecret(authentication).code(for: agreed),
      Array("WebPush: info\0".utf8) + publicKey + senderKey, 32)
    let root = SharedSecret(salt).code(for: material)
    let cipher = AES128GCM(
      key: Self.expanded(root, Array("Content-Encoding: aes128gcm\0".utf8), 16),
      nonce: Self.expanded(root, Array("Content-Encoding: nonce\0".utf8), 12))
    guard let opened = cipher.opened(record) else { throw Failure.seal }
    // Zeros may pad the last record after its mark.
    guard let mark = opened.lastIndex(where: { $0 != 0 }), opened[mark] == 2 else {
      throw Failure.mark
    }
    return String(decoding: opened[..<mark], as: UTF8.self)
  }

  /// One HKDF block, which suffices for these lengths (RFC 5869, 2.3).
  private static func expanded(_ key: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
    Array(SharedSecret(key).code(for: info + [1]).prefix(count))
  }

  private enum Failure: Error { case header, record, seal, mark }
}
