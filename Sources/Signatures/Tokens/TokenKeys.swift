import Cryptography
import Vocabulary

/// The keys with which an app's backend signs tokens, as the server knows them.
///
/// Each key has one algorithm, whatever a token says (RFC 8725, 3.1).
package struct TokenKeys: Sendable {
  /// The shortest secret in bytes: as many as a code of HS256 (RFC 7518, 3.2).
  package static let shortestSecret = 32

  private enum Kind: Sendable {
    /// The only key; a token's `kid` does not matter.
    case single(TokenKey)
    /// Keys by their `kid`, which a token has to name.
    case set([String: TokenKey])
  }

  private let kind: Kind

  /// Reads a key file.
  ///
  /// | Contents | Algorithm |
  /// |---|---|
  /// | a secret: 32 bytes and more, or a text of that length without the white space around it | HS256 |
  /// | a public key in PEM | ES256, EdDSA or RS256, by its kind |
  /// | a set of keys in JSON (JWKS, RFC 7517), each with a `kid` | each its own |
  ///
  /// - Throws: what is wrong with the file, without any part of it.
  package init(contents: [UInt8]) throws(TokenKeyFault) {
    switch try TokenKeyText(contents) {
    case .secret(let bytes): kind = .single(try TokenKey(secret: bytes))
    case .pem(let text): kind = .single(try TokenKey(publicPEM: text))
    case .json(let text): kind = .set(try JSONWebKeySet.keys(in: text))
    }
  }

  /// Whether tokens have to name an audience.
  ///
  /// Who shares a secret with this server signs for it alone. The key of a pair may sign for other
  /// services, too, and their tokens must not open this one (RFC 8725, 3.9).
  package var requireAudience: Bool {
    switch kind {
    case .single(let key): key.isPublic
    case .set: true
    }
  }

  /// Whether the key that signed a token is still among these.
  package func contain(_ fingerprint: TokenKeyFingerprint) -> Bool {
    switch kind {
    case .single(let key): key.fingerprint == fingerprint
    case .set(let keys): keys.values.contains { $0.fingerprint == fingerprint }
    }
  }

  /// The key for a token.
  func key(named name: String?) throws(TokenFault) -> TokenKey {
    switch kind {
    case .single(let key): return key
    case .set(let keys):
      guard let name, let key = keys[name] else { throw .unknownKey }
      return key
    }
  }
}

/// Identifies the key that signed a token, without revealing it.
package struct TokenKeyFingerprint: Hashable, Sendable {
  private let bytes: [UInt8]

  fileprivate init(of key: PublicKey) {
    bytes = Digest.sha256(of: key.der).bytes
  }

  fileprivate init(of secret: SharedSecret) {
    bytes = secret.code(for: Array("fingerprint of a token key".utf8))
  }
}

/// One key that verifies tokens.
struct TokenKey: Sendable {
  private enum Kind: Sendable {
    case secret(SharedSecret)
    case `public`(PublicKey)
  }

  private let kind: Kind
  let fingerprint: TokenKeyFingerprint

  init(secret bytes: [UInt8]) throws(TokenKeyFault) {
    guard bytes.count >= TokenKeys.shortestSecret else { throw .shortSecret }
    let secret = SharedSecret(bytes)
    kind = .secret(secret)
    fingerprint = TokenKeyFingerprint(of: secret)
  }

  init(_ key: PublicKey) {
    kind = .public(key)
    fingerprint = TokenKeyFingerprint(of: key)
  }

  init(publicPEM text: String) throws(TokenKeyFault) {
    guard !text.contains("PRIVATE KEY-----") else { throw .privateKey }
    guard !text.contains("CERTIFICATE-----") else { throw .certificate }
    do throws(KeyFault) { self.init(try PublicKey(pem: text)) } catch { throw TokenKeyFault(error) }
  }

  var isPublic: Bool {
    if case .public = kind { true } else { false }
  }

  /// The algorithm by its name in a token's header.
  var algorithm: String {
    switch kind {
    case .secret: TokenKeyText.secretAlgorithm
    case .public(let key): key.algorithm.rawValue
    }
  }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch kind {
    case .secret(let secret): secret.isValid(signature, for: message)
    case .public(let key): key.isValid(signature, for: message)
    }
  }
}

/// A key file's contents, by their form.
enum TokenKeyText {
  case secret([UInt8])
  case pem(String)
  case json(String)

  static let secretAlgorithm = "HS256"

  /// Tells the forms apart.
  ///
  /// A public key that was taken for a secret would let anybody who knows it sign (RFC 8725, 2.1).
  /// So what looks like a key in another form is refused.
  init(_ contents: [UInt8]) throws(TokenKeyFault) {
    guard let text = String(validating: contents, as: UTF8.self), !contents.contains(0) else {
      // An editor may have written text in UTF-16, with zeros between the letters.
      let letters = String(decoding: contents.filter { $0 != 0 }, as: UTF8.self)
      guard !Self.isDER(contents), !Self.isPEM(letters), !Self.isJSON(letters) else {
        throw .notPEM
      }
      self = .secret(contents)
      return
    }
    let word = AdministratorKey.trimmed(text)
    guard !word.isEmpty else { throw .empty }
    if Self.isPEM(word) {
      self = .pem(text)
    } else if Self.isJSON(word) {
      self = .json(text)
    } else {
      guard !word.hasPrefix("ssh-"), !word.hasPrefix("ecdsa-sha2-"), !Self.isBarePEM(word) else {
        throw .notPEM
      }
      self = .secret(Array(word.utf8))
    }
  }

  private static func isPEM(_ text: String) -> Bool { text.contains("-----BEGIN") }

  private static func isJSON(_ text: String) -> Bool {
    text.hasPrefix("{") || text.contains("\"keys\"") || text.contains("\"kty\"")
  }

  /// Whether a text is the inside of a PEM, as some services show their keys.
  private static func isBarePEM(_ text: String) -> Bool {
    let letters = text.filter { !$0.isWhitespace && $0 != "=" }
    let bytes = Base64URL.bytes(
      of: letters.replacing("+", with: "-").replacing("/", with: "_"))
    return bytes.map(isDER) ?? false
  }

  /// Whether bytes are one node of DER that holds others, as keys and certificates are.
  private static func isDER(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    return switch bytes[1] {
    case 0x81: bytes.count == 3 + Int(bytes[2])
    case 0x82: bytes.count == 4 + Int(bytes[2]) << 8 + Int(bytes[3])
    default: bytes.count == 2 + Int(bytes[1])
    }
  }
}

extension TokenKeyFault {
  init(_ fault: KeyFault) {
    switch fault {
    case .unreadable: self = .unreadable
    case .unsupported: self = .unsupported
    case .size(let bits): self = .size(bits: bits)
    }
  }
}
