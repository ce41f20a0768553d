import Crypto
import PushTransports
import Testing
import Vocabulary

@Suite struct SigningKeyTests {
  private let key = P256.Signing.PrivateKey()

  @Test func `a key is read as Apple, openssl and tools for Web Push write it`() throws {
    let expected = Array(key.publicKey.x963Representation)
    // PKCS #8.
    #expect(try SigningKey(text: key.pemRepresentation).publicKey == expected)
    #expect(try SigningKey(text: "\n" + key.pemRepresentation + "\n\n").publicKey == expected)
    #expect(
      try SigningKey(text: key.pemRepresentation.replacing("\n", with: "\r\n")).publicKey
        == expected)
    let raw = Base64URL.text(of: Array(key.rawRepresentation))
    #expect(try SigningKey(text: raw).publicKey == expected)
    #expect(try SigningKey(text: raw + "\n").publicKey == expected)
  }

  // Created for this test with: openssl ecparam -genkey -name prime256v1 -noout
  @Test func `a key in the older form of PEM is read`() throws {
    let text = """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIFB3axMEc9tIZ6eah8NaGb4SyIPeh+OlS88yQQ+bClcwoAoGCCqGSM49
      AwEHoUQDQgAEXdV5/Qlq8dQPgRSVllEJcPhc1zbisMr/LWgxt6PL+DLwZlLbhNTY
      X7Q33QPXuIVjKd3Yyjn3RJEVUXV9p6q0nQ==
      -----END EC PRIVATE KEY-----
      """
    #expect(try SigningKey(text: text).publicKey.count == 65)
  }

  @Test func `a key that was made can be written and read again`() throws {
    let key = SigningKey()
    #expect(try SigningKey(text: key.pem).publicKey == key.publicKey)
    #expect(key.publicKey.count == 65 && key.publicKey.first == 4)
  }

  @Test(
    arguments: [
      ("", .empty), (" \n", .empty), ("hello", .neither), ("AAAA", .neither), ("a b", .neither),
      (String(repeating: "A", count: 43), .neither),
      ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .notThisKind),
      ("-----BEGIN", .notThisKind),
    ] as [(String, KeyFlaw)])
  func `any other text is no key`(text: String, flaw: KeyFlaw) {
    #expect(throws: flaw) { try SigningKey(text: text) }
  }

  @Test func `a key of another curve is no key`() {
    #expect(throws: KeyFlaw.notThisKind) {
      try SigningKey(text: P384.Signing.PrivateKey().pemRepresentation)
    }
    #expect(throws: KeyFlaw.notThisKind) {
      try SigningKey(text: key.publicKey.pemRepresentation)
    }
  }
}
