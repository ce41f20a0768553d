import MatineeClient
import Signatures
import Vocabulary

/// Keys, credentials, links and the tokens of invitations, each as a text.
///
/// An input is read as each of them.
final class KeysAndLinks: FuzzTarget {
  static let name = "keys"
  static let claim = "a key, a link or a token that is read has one text, and is written so"

  private static let now = Instant(microseconds: 1_795_255_000_000_000)
  private static let invitation = InvitationClaim(
    session: SessionID("s-1"), user: UserID("ann"), seq: 7, expires: now + .seconds(60))
  private let signer: InvitationSigner

  private struct NoKey: Error {}

  init() throws { signer = try Self.makeSigner() }

  private static func makeSigner() throws -> InvitationSigner {
    guard let key = InvitationKey(bytes: Array(repeating: 7, count: InvitationKey.size)) else {
      throw NoKey()
    }
    return InvitationSigner(key: key)
  }

  static func seeds() throws -> [[UInt8]] {
    let key = Secret(high: 0x0123_4567_89AB_CDEF, low: .max).text
    let hash = Base64URL.text(of: Array(repeating: UInt8(200), count: 32))
    let texts = [
      key, hash, try makeSigner().token(for: invitation),
      "matinee://host.example:7878/friday#\(key)",
      "matinee://[::1]/caf%C3%A9%20one#\(key).\(hash)", "matinee+plain://127.0.0.1/#\(key)",
      " MATINEE://Host/%2F%00#\(key)\n",
      "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"a\",\"k\":\"\(hash)\"}]}",
      "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"a\",\"x\":\"\(hash)\"}]}",
      "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\",\"x\":\"\(hash)\",\"y\":\"\(hash)\"}]}",
      "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"a\",\"n\":\"\(hash)\",\"e\":\"AQAB\"}]}",
      "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n",
      "a secret of thirty-two bytes, so ",
    ]
    return texts.map { Array($0.utf8) }
  }

  func check(_ input: [UInt8]) throws {
    let text = String(shown: input)
    if let secret = Secret(text) {
      try require(secret.text.utf8.elementsEqual(text.utf8), else: "a secret has another text")
    }
    if let hash = CredentialHash(text) {
      try require(hash.text.utf8.elementsEqual(text.utf8), else: "a hash has another text")
    }
    if let bytes = Base64URL.bytes(of: text) {
      try require(Base64URL.text(of: bytes) == text, else: "\(bytes) have another text")
    }
    try checkInvitation(text)
    try checkLink(text)
    try checkKeyFiles(input)
  }

  private func checkInvitation(_ text: String) throws(BrokenClaim) {
    let result = Result { () throws(InvitationTokenFault) in
      try signer.claim(in: text, at: Self.now)
    }
    guard case .success(let claim) = result else { return }
    try require(
      claim == Self.invitation && signer.token(for: claim).utf8.elementsEqual(text.utf8),
      else: "\(claim) is believed")
  }

  private func checkLink(_ text: String) throws(BrokenClaim) {
    guard case .success(let link) = read(text) else { return }
    try require(GroupLink.isLink(link.text), else: "\(link) does not begin like a link")
    switch read(link.text) {
    case .success(let again):
      try require(again == link && again.text == link.text, else: "\(link) is read as \(again)")
    case .failure(let error): throw BrokenClaim("\(link) is not read again: \(error)")
    }
  }

  private func read(_ link: String) -> Result<GroupLink, GroupLinkError> {
    Result { () throws(GroupLinkError) in try GroupLink(link) }
  }

  private func checkKeyFiles(_ bytes: [UInt8]) throws(BrokenClaim) {
    let keys = Result { () throws(TokenKeyFault) in try TokenKeys(contents: bytes) }
    let signer = Result { () throws(TokenKeyFault) in try TokenSigner(contents: bytes) }
    // Both sides have the same secret, and only the server has a public key.
    if case .success(let keys) = keys {
      var canSign: Bool { if case .success = signer { true } else { false } }
      try require(
        keys.requireAudience != canSign, else: "a secret does not sign, or a public key does")
    }
    _ = InvitationKey(contents: bytes)
    let text = String(shown: bytes)
    let key = Result { () throws(AdministratorKeyFlaw) in try AdministratorKey(text) }
    if case .success(let key) = key {
      try require(key.matches(AdministratorKey.trimmed(text)), else: "a key does not match itself")
    }
  }
}
