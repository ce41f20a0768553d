import Cryptography
import KeyTesting
import Testing
import Vocabulary

@Suite struct SignatureTests {
  private static let message = Array("See you at eight.".utf8)

  private func key(_ pem: String) throws -> PrivateKey { try PrivateKey(pem: pem) }

  @Test(arguments: [
    (ExampleKeys.p256, 64), (ExampleKeys.ed25519, 64), (ExampleKeys.rsa, 256),
  ])
  func `only the key's signature of the very message is valid`(pem: String, size: Int) throws {
    let key = try key(pem)
    let signature = try key.signature(of: Self.message)
    #expect(signature.count == size)
    #expect(key.publicKey.isValid(signature, for: Self.message))
    #expect(!key.publicKey.isValid(signature, for: Self.message + [0]))
    #expect(!key.publicKey.isValid(signature, for: []))
    for bit in stride(from: 0, to: 8 * size, by: 5) {
      var changed = signature
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.publicKey.isValid(changed, for: Self.message), "bit \(bit)")
    }
    for other in [ExampleKeys.p256, ExampleKeys.ed25519, ExampleKeys.rsa] where other != pem {
      #expect(try !self.key(other).publicKey.isValid(signature, for: Self.message))
    }
    #expect(!PrivateKey.newP256().publicKey.isValid(signature, for: Self.message))
  }

  @Test(arguments: [ExampleKeys.p256, ExampleKeys.ed25519, ExampleKeys.rsa])
  func `a signature of another length is not valid`(pem: String) throws {
    let key = try key(pem)
    let signature = try key.signature(of: Self.message)
    for wrong in [
      [], [0], Array(signature.dropLast()), signature + [0], [0] + signature,
      Array(signature.dropFirst()), Array(repeating: 0, count: signature.count),
      Array(repeating: 255, count: signature.count), signature + signature,
    ] {
      #expect(!key.publicKey.isValid(wrong, for: Self.message))
    }
  }

  /// The order of P-256's group, in 32 bytes.
  private static let order =
    [UInt8](repeating: 255, count: 4) + [UInt8](repeating: 0, count: 4)
    + [UInt8](repeating: 255, count: 8)
    + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25]
    + [0x51]

  // As Wycheproof's: CVE-2022-21449 took zeros for any key's signature.
  @Test func `numbers of ECDSA that are zero or too large are not valid`() throws {
    let key = try key(ExampleKeys.p256)
    let signature = try key.signature(of: Self.message)
    let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
    let zero = [UInt8](repeating: 0, count: 32)
    let edges: [[UInt8]] = [
      zero, zero.dropLast() + [1], Self.order, Self.order.dropLast() + [0x50],
    ]
    let pairs = edges.flatMap { edge in
      [(edge, s), (r, edge)] + edges.map { (edge, $0) }
    }
    for (r, s) in pairs { #expect(!key.publicKey.isValid(r + s, for: Self.message)) }
  }

  @Test func `a signature in DER is not valid`() throws {
    // JOSE writes the two numbers, and nothing else (RFC 7518, 3.4).
    let key = try key(ExampleKeys.p256)
    let signature = try key.signature(of: Self.message)
    func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      bytes.first.map { $0 < 128 } == true ? [2, 32] + bytes : [2, 33, 0] + bytes
    }
    let numbers = integer(signature.prefix(32)) + integer(signature.suffix(32))
    let der = [0x30, UInt8(numbers.count)] + numbers
    #expect(!key.publicKey.isValid(der, for: Self.message))
  }

  // RFC 8032, 7.1: tests 1 and 3.
  @Test(arguments: [
    (
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ])
  func `Ed25519 is that of the standard's examples`(
    key: String, message: String, signature: String
  ) throws {
    let key = try PublicKey(ed25519: bytes(key))
    #expect(try key.isValid(bytes(signature), for: bytes(message)))
    #expect(try !key.isValid(bytes(signature), for: bytes(message) + [0]))
  }

  @Test func `threads may share a key`() async throws {
    let key = try key(ExampleKeys.p256)
    let results = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<UInt8(64) {
        group.addTask {
          do {
            return key.publicKey.isValid(try key.signature(of: [number]), for: [number])
          } catch { return false }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 64))
  }
}
