import Cryptography
import Testing

@Suite struct DigestTests {
  /// From FIPS 180-4's and RFC 1321's examples.
  static let examples: [(message: String, sha256: String, sha1: String, md5: String)] = [
    (
      "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "da39a3ee5e6b4b0d3255bfef95601890afd80709", "d41d8cd98f00b204e9800998ecf8427e"
    ),
    (
      "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "a9993e364706816aba3e25717850c26c9cd0d89d", "900150983cd24fb0d6963f7d28e17f72"
    ),
  ]

  @Test(arguments: examples)
  func `hashes are those of the standards' examples`(
    example: (message: String, sha256: String, sha1: String, md5: String)
  ) {
    let message = Array(example.message.utf8)
    #expect(hexadecimal(Digest.sha256(of: message).bytes) == example.sha256)
    #expect(hexadecimal(Digest.sha1(of: message).bytes) == example.sha1)
    #expect(hexadecimal(Digest.md5(of: message).bytes) == example.md5)
  }

  @Test func `digests are equal if their bytes are`() {
    #expect(Digest.sha256(of: [1]) == Digest.sha256(of: [1]))
    #expect(Digest.sha256(of: [1]) != Digest.sha256(of: [2]))
    #expect(Digest.sha256(of: [1]) != Digest.md5(of: [1]))
  }

  /// RFC 4231: test cases 1, 2 and 6.
  static let codes: [(key: [UInt8], message: String, code: String)] = [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ]

  @Test(arguments: codes)
  func `a message's code is the one of the standard's example`(
    key: [UInt8], message: String, code: String
  ) {
    let secret = SharedSecret(key)
    let made = secret.code(for: Array(message.utf8))
    #expect(hexadecimal(made) == code)
    #expect(secret.isValid(made, for: Array(message.utf8)))
    #expect(!secret.isValid(made, for: Array((message + "!").utf8)))
    #expect(!secret.isValid(Array(made.dropLast()), for: Array(message.utf8)))
    #expect(!secret.isValid([], for: Array(message.utf8)))
    #expect(!SharedSecret(key + [1]).isValid(made, for: Array(message.utf8)))
  }

  @Test func `a secret does not show its bytes`() {
    let secret = SharedSecret([211, 212, 213])
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: [secret]), dumped] {
      #expect(!text.contains("211"))
    }
  }

  @Test func `a secret may be empty`() {
    #expect(
      hexadecimal(SharedSecret([]).code(for: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test(arguments: [([], [], true), ([1], [1], true), ([1], [2], false), ([1], [1, 1], false)])
  func `bytes are equal if each is`(left: [UInt8], right: [UInt8], isEqual: Bool) {
    #expect(areEqual(left, right) == isEqual)
  }
}

/// Bytes as lower-case digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
