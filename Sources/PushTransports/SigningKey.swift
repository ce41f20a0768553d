import Crypto
import Vocabulary

/// A private key of the curve P-256, by which a server shows a push service who it is.
package struct SigningKey: Sendable {
  private let key: P256.Signing.PrivateKey

  /// A new key, of the system's own chance.
  package init() {
    key = P256.Signing.PrivateKey()
  }

  /// Reads a key as people get it: in PEM, as Apple's `.p8` files and `openssl` write it (PKCS #8,
  /// or SEC 1), or as Base64URL of its 32 bytes, as tools for Web Push write it.
  ///
  /// - Throws: what is wrong with the text; never any of it, as logs are no place for keys.
  package init(text: String) throws(KeyFlaw) {
    let text = text.drop(while: \.isWhitespace)
    let line = text.prefix { !$0.isWhitespace }
    do {
      if text.hasPrefix("-----BEGIN") {
        key = try P256.Signing.PrivateKey(pemRepresentation: String(text))
      } else if let bytes = Base64URL.bytes(of: line),
        text.dropFirst(line.count).allSatisfy(\.isWhitespace)
      {
        key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
      } else {
        throw KeyFlaw.neither
      }
    } catch {
      throw text.isEmpty ? .empty : line.hasPrefix("-----BEGIN") ? .notThisKind : .neither
    }
  }

  /// The key in PEM (PKCS #8), to be kept in a file that nobody else reads.
  package var pem: String { key.pemRepresentation + "\n" }

  /// The public half: 65 bytes, uncompressed (SEC 1, 2.3.3); what browsers subscribe with.
  package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

  /// The signature of ES256 (RFC 7518, 3.4): 64 bytes.
  func signature(of bytes: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: bytes).rawRepresentation)
  }
}

/// Why a text is no signing key.
package enum KeyFlaw: Error, Equatable, Sendable {
  case empty
  /// It is in PEM, and no private key of the curve P-256.
  case notThisKind
  /// It is neither PEM nor Base64URL of 32 bytes.
  case neither
}
