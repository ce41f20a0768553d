import Cryptography
import KeyTesting
import PushTransports
import Testing
import Vocabulary

@Suite struct SigningKeyTests {
  @Test func `a key is read as Apple, openssl and tools for Web Push write it`() throws {
    let pem = ExampleKeys.p256 + "\n"
    let expected = try #require(PrivateKey(pem: pem).publicKey.p256Point)
    // PKCS #8.
    #expect(try SigningKey(text: pem).publicKey == expected)
    #expect(try SigningKey(text: "\n" + pem + "\n\n").publicKey == expected)
    #expect(
      try SigningKey(text: pem.replacing("\n", with: "\r\n")).publicKey == expected)
    // RFC 7515, appendix A.3.
    let raw = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
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
    for text in [ExampleKeys.p384, ExampleKeys.rsa, ExampleKeys.ed25519, ExampleKeys.p256Public] {
      #expect(throws: KeyFlaw.notThisKind) { try SigningKey(text: text) }
    }
  }
}
