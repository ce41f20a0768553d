import Cryptography
import KeyTesting
import Testing
import Vocabulary

@Suite struct EncryptionTests {
  /// Test cases 1 and 3 of GCM's specification (McGrew and Viega).
  static let examples: [(key: String, nonce: String, message: String, sealed: String)] = [
    (
      "00000000000000000000000000000000", "000000000000000000000000", "",
      "58e2fccefa7e3061367f1d57a4e7455a"
    ),
    (
      "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
        + "4d5c2af327cd64a62cf35abd2ba6fab4"
    ),
  ]

  @Test(arguments: examples)
  func `a sealed message is that of the specification, and opens only unchanged`(
    key: String, nonce: String, message: String, sealed: String
  ) throws {
    let cipher = AES128GCM(key: try bytes(key), nonce: try bytes(nonce))
    let made = try cipher.sealed(bytes(message))
    #expect(hexadecimal(made) == sealed)
    #expect(try cipher.opened(made) == bytes(message))
    for place in made.indices {
      var changed = made
      changed[place] ^= 0x80
      #expect(cipher.opened(changed) == nil)
    }
    #expect(cipher.opened(Array(made.dropLast())) == nil)
    #expect(cipher.opened([]) == nil)
  }

  // RFC 8291, appendix A.
  @Test func `two keys share the secret of the standard's example`() throws {
    func decoded(_ text: String) throws -> [UInt8] { try #require(Base64URL.bytes(of: text)) }
    let sender = try PrivateKey(p256: decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    let receiver = try PrivateKey(p256: decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    let secret = try decoded("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
    #expect(try sender.sharedSecret(with: receiver.publicKey) == secret)
    #expect(try receiver.sharedSecret(with: sender.publicKey) == secret)
    let other = try PublicKey(pem: ExampleKeys.ed25519Public)
    #expect(throws: KeyFault.unsupported) { try sender.sharedSecret(with: other) }
  }

  // RFC 5869, appendix A.1; its key is longer than one block, so this is the beginning.
  @Test func `a derived key is that of the standard's example`() throws {
    let root = SharedSecret(
      extractedFrom: Array(repeating: 0x0B, count: 22), salt: Array(0x00...0x0C))
    #expect(
      root
        == SharedSecret(
          try bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")))
    #expect(
      hexadecimal(root.derivedKey(for: Array(0xF0...0xF9), size: 32))
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
  }
}

/// The bytes of lower-case digits.
func bytes(_ text: String) throws -> [UInt8] {
  let digits = Array(text)
  return try stride(from: 0, to: digits.count, by: 2).map {
    try #require(UInt8(String(digits[$0..<$0 + 2]), radix: 16))
  }
}
