import KeyTesting
import Signatures
import Testing
import Vocabulary

@Suite struct TokenSignerTests {
  private static let later = TokenForge.now + 3_600

  /// What signs, what verifies, and the algorithm.
  static let keys: [(private: String, public: String, algorithm: String)] = [
    (TokenForge.secret, TokenForge.secret + "\n", "HS256"),
    (ExampleKeys.p256, ExampleKeys.p256Public, "ES256"),
    (ExampleKeys.ed25519, ExampleKeys.ed25519Public, "EdDSA"),
    (ExampleKeys.rsa, ExampleKeys.rsaPublic, "RS256"),
  ]

  @Test(arguments: keys)
  func `a token says what it was made of`(
    private: String, public: String, algorithm: String
  ) throws {
    let signer = try TokenSigner(contents: `private`.bytes)
    #expect(signer.algorithm == algorithm)
    #expect(signer.requiresAudience == (algorithm != "HS256"))
    var contents = TokenContents(user: UserID("zoë"), issued: TokenForge.now, expires: Self.later)
    contents.name = "Zoë \"Q\""
    contents.groups = GroupGrants(["friday", "club-*"])
    contents.isAdministrator = true
    contents.issuer = "backend"
    contents.audience = "here"
    contents.keyID = "k1"
    let verifier = try TokenForge.verifier(`public`, issuer: "backend", audience: "here")
    let claims = try verifier.claims(in: signer.token(for: contents), at: TokenForge.now)
    #expect(claims.user == contents.user && claims.name == contents.name)
    #expect(claims.groups == contents.groups && claims.isAdministrator)
    #expect(claims.expires == Self.later)
    #expect(verifier.keys.contain(claims.key))
  }

  @Test func `what is not said is not in the token`() throws {
    let signer = try TokenSigner(contents: TokenForge.secret.bytes)
    let contents = TokenContents(user: UserID("ann"), issued: TokenForge.now, expires: Self.later)
    let token = try signer.token(for: contents)
    let parts = token.split(separator: ".").compactMap { Base64URL.bytes(of: $0) }
    #expect(String(decoding: parts[0], as: UTF8.self) == #"{"typ":"JWT","alg":"HS256"}"#)
    #expect(
      String(decoding: parts[1], as: UTF8.self)
        == #"{"sub":"ann","iat":1800000000,"exp":1800003600}"#)
  }

  @Test func `a token that no server would read is not made`() throws {
    let signer = try TokenSigner(contents: TokenForge.secret.bytes)
    var contents = TokenContents(user: UserID("ann"), issued: TokenForge.now, expires: Self.later)
    contents.groups = GroupGrants((0..<1_000).map { "group-\($0)" })
    #expect(throws: TokenSigningFault.tooLong) { try signer.token(for: contents) }
  }

  @Test(
    arguments: [
      ("", .empty), ("short", .shortSecret), (ExampleKeys.p256Public, .publicKey),
      (#"{"keys":[]}"#, .publicKey), (ExampleKeys.p256Encrypted, .unreadable),
      (ExampleKeys.p384, .unsupported), ("-----BEGIN CERTIFICATE-----", .certificate),
    ] as [(String, TokenKeyFault)])
  func `a file that cannot sign is refused with a reason`(contents: String, fault: TokenKeyFault) {
    #expect(throws: fault) { try TokenSigner(contents: contents.bytes) }
    #expect(!fault.description.isEmpty)
  }
}
