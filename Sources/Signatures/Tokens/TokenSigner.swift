import Cryptography
import JSON
package import Vocabulary

/// Signs tokens: for trials and tests of a server; an app's own backend signs with its own library.
package struct TokenSigner: Sendable {
  private enum Key: Sendable {
    case secret(SharedSecret)
    case `private`(PrivateKey)
  }

  private let key: Key

  /// Reads a key file: a secret, which the server has too, or a private key in PEM.
  ///
  /// - Throws: what is wrong with the file, without any part of it.
  package init(contents: [UInt8]) throws(TokenKeyFault) {
    switch try TokenKeyText(contents) {
    case .secret(let bytes):
      guard bytes.count >= TokenKeys.shortestSecret else { throw .shortSecret }
      key = .secret(SharedSecret(bytes))
    case .pem(let text):
      guard !text.contains("PUBLIC KEY-----") else { throw .publicKey }
      guard !text.contains("CERTIFICATE-----") else { throw .certificate }
      do throws(KeyFault) { key = .private(try PrivateKey(pem: text)) } catch {
        throw TokenKeyFault(error)
      }
    case .json: throw .publicKey
    }
  }

  /// The longest token in bytes: what a server reads that keeps the usual bound.
  package static let longest = Limits().credentialBytes

  /// Whether tokens have to name an audience, because the server knows the key as a public one.
  package var requiresAudience: Bool {
    if case .private = key { true } else { false }
  }

  /// The algorithm by its name in a token's header.
  package var algorithm: String {
    switch key {
    case .secret: TokenKeyText.secretAlgorithm
    case .private(let key): key.algorithm.rawValue
    }
  }

  /// A token with these contents.
  package func token(for contents: TokenContents) throws(TokenSigningFault) -> String {
    let signed =
      Self.part { header in
        header.field("typ", "JWT")
        header.field("alg", algorithm)
        header.field("kid", contents.keyID)
      } + "." + Self.part(contents.write)
    let token = "\(signed).\(Base64URL.text(of: try signature(of: Array(signed.utf8))))"
    guard token.utf8.count <= Self.longest else { throw .tooLong }
    return token
  }

  private func signature(of message: [UInt8]) throws(TokenSigningFault) -> [UInt8] {
    switch key {
    case .secret(let secret): return secret.code(for: message)
    case .private(let key):
      do throws(CryptographyFault) { return try key.signature(of: message) } catch { throw .failed }
    }
  }

  private static func part(_ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(fields)
    return Base64URL.text(of: writer.bytes)
  }
}

/// Why there is no token.
package enum TokenSigningFault: Error, Equatable, Sendable {
  /// No server would read it: it has more than ``TokenSigner/longest`` bytes.
  case tooLong
  /// OpenSSL could not sign: it has no memory or no random bytes.
  case failed
}

/// What a new token says.
package struct TokenContents: Equatable, Sendable {
  package let user: UserID
  package var name: String?
  package var groups = GroupGrants()
  package var isAdministrator = false
  package var issuer: String?
  package var audience: String?
  /// The name of the key (`kid`), which servers with a set of keys need.
  package var keyID: String?
  package let issued: WallTime
  package let expires: WallTime

  /// A token for a person that grants nothing.
  package init(user: UserID, issued: WallTime, expires: WallTime) {
    self.user = user
    self.issued = issued
    self.expires = expires
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.field("sub", user)
    writer.field("name", name)
    if !groups.patterns.isEmpty { writer.field("groups", groups.patterns) }
    if isAdministrator { writer.field("admin", true) }
    writer.field("iss", issuer)
    writer.field("aud", audience)
    writer.field("iat", issued.seconds)
    writer.field("exp", expires.seconds)
  }
}
