import Cryptography
import KeyTesting
import Testing
import Vocabulary

@Suite struct KeyReadingTests {
  static let pairs: [(private: String, public: String, algorithm: SignatureAlgorithm)] = [
    (ExampleKeys.p256, ExampleKeys.p256Public, .es256),
    (ExampleKeys.ed25519, ExampleKeys.ed25519Public, .edDSA),
    (ExampleKeys.rsa, ExampleKeys.rsaPublic, .rs256),
  ]

  @Test(arguments: pairs)
  func `a pair is read from PEM, and the halves belong together`(
    pair: (private: String, public: String, algorithm: SignatureAlgorithm)
  ) throws {
    let (one, other) = (try PrivateKey(pem: pair.private), try PublicKey(pem: pair.public))
    #expect(one.algorithm == pair.algorithm && other.algorithm == pair.algorithm)
    #expect(one.publicKey.der == other.der)
    #expect(try PublicKey(der: other.der).der == other.der)
    #expect(one.pem == pair.private + "\n")
    for text in [
      "\n\n" + pair.public + "\n\n", pair.public.replacing("\n", with: "\r\n"),
      "The backend's key:\n" + pair.public,
    ] {
      #expect(try PublicKey(pem: text).der == other.der)
    }
  }

  @Test func `a point that was written compressed is the same key`() throws {
    let key = try PublicKey(pem: ExampleKeys.p256Compressed)
    #expect(try key.der == PublicKey(pem: ExampleKeys.p256Public).der)
    #expect(key.p256Point?.count == 65 && key.p256Point?.first == 4)
    #expect(try PublicKey(p256Point: #require(key.p256Point)).der == key.der)
    #expect(try PublicKey(pem: ExampleKeys.ed25519Public).p256Point == nil)
  }

  @Test func `keys are made of numbers, too`() throws {
    let scalar = try #require(Base64URL.bytes(of: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"))
    #expect(
      try PrivateKey(p256: scalar).publicKey.der == PublicKey(pem: ExampleKeys.p256Public).der)
    let ed25519 = try #require(
      Base64URL.bytes(of: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
    #expect(
      try PublicKey(ed25519: ed25519).der == PublicKey(pem: ExampleKeys.ed25519Public).der)
    // 24 bytes of algorithm and lengths, 9 of lengths before the modulus, then `02 03 01 00 01`.
    let rsa = try PublicKey(pem: ExampleKeys.rsaPublic).der
    let modulus = Array(rsa.dropFirst(33).dropLast(5))
    #expect(modulus.count == 256)
    #expect(try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1]).der == rsa)
    #expect(try PublicKey(rsaModulus: [0] + modulus, exponent: [0, 1, 0, 1]).der == rsa)
  }

  @Test func `numbers that are no key are refused`() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    // The order of the curve's group, which is one too many.
    let order: [UInt8] =
      Array(repeating: 255, count: 4) + Array(repeating: 0, count: 4)
      + Array(repeating: 255, count: 8)
      + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84]
      + [0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
    let wrongNumbers: [[UInt8]] = [zero, order, Array(order.dropLast()), order + [1], []]
    for bytes in wrongNumbers {
      #expect(throws: KeyFault.unreadable) { try PrivateKey(p256: bytes) }
    }
    #expect(try PrivateKey(p256: order.dropLast() + [0x50]).algorithm == .es256)
    let point = try #require(PublicKey(pem: ExampleKeys.p256Public).p256Point)
    let wrongPoints: [[UInt8]] = [
      Array(point.dropLast()) + [point[64] ^ 1], [4] + zero + zero, Array(point.dropLast()),
      point + [0], [2] + point.dropFirst(), [0], [],
    ]
    for bytes in wrongPoints {
      #expect(throws: KeyFault.unreadable) { try PublicKey(p256Point: bytes) }
    }
    for count in [0, 31, 33] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(throws: KeyFault.unreadable) { try PublicKey(ed25519: bytes) }
    }
  }

  @Test(arguments: [128, 255, 1_025, 4_096, 5_000])
  func `an RSA key is neither too short nor too long`(size: Int) throws {
    let modulus = [UInt8](repeating: 0xFF, count: size)
    #expect(throws: KeyFault.size(bits: 8 * size)) {
      try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1])
    }
  }

  @Test func `an RSA key with which anything verifies is refused`() throws {
    let rsa = try PublicKey(pem: ExampleKeys.rsaPublic).der
    let modulus = Array(rsa.dropFirst(33).dropLast(5))
    for exponent in [[], [0], [1], [2], [4]] as [[UInt8]] {
      #expect(throws: KeyFault.unreadable) {
        try PublicKey(rsaModulus: modulus, exponent: exponent)
      }
    }
    #expect(throws: KeyFault.unreadable) {
      try PublicKey(rsaModulus: modulus.dropLast() + [2], exponent: [1, 0, 1])
    }
  }

  static let unusable: [(text: String, fault: KeyFault)] = [
    ("", .unreadable), ("hello", .unreadable), ("-----BEGIN", .unreadable),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", .unreadable),
    (String(ExampleKeys.p256Public.dropLast(30)), .unreadable),
    (ExampleKeys.p256Encrypted, .unreadable), (ExampleKeys.p384Public, .unsupported),
    (ExampleKeys.secp256k1Public, .unsupported), (ExampleKeys.x25519Public, .unsupported),
    (ExampleKeys.shortRSAPublic, .size(bits: 1_024)),
  ]

  @Test(arguments: unusable)
  func `any other text is no public key`(text: String, fault: KeyFault) {
    #expect(throws: fault) { try PublicKey(pem: text) }
  }

  @Test(
    arguments: [
      ("", .unreadable), (ExampleKeys.p256Public, .unreadable),
      (ExampleKeys.p256Encrypted, .unreadable), (ExampleKeys.p384, .unsupported),
      (String(ExampleKeys.rsa.dropLast(200)), .unreadable),
    ] as [(String, KeyFault)])
  func `any other text is no private key`(text: String, fault: KeyFault) {
    #expect(throws: fault) { try PrivateKey(pem: text) }
  }

  @Test func `bytes after a key are no part of it`() throws {
    let der = try PublicKey(pem: ExampleKeys.p256Public).der
    #expect(throws: KeyFault.unreadable) { try PublicKey(der: der + [0]) }
    for count in 0..<der.count {
      #expect(throws: KeyFault.self) { try PublicKey(der: Array(der.prefix(count))) }
    }
  }

  @Test func `a new key can be written and read again`() throws {
    let key = PrivateKey.newP256()
    #expect(try PrivateKey(pem: key.pem).publicKey.der == key.publicKey.der)
    #expect(key.publicKey.der != PrivateKey.newP256().publicKey.der)
  }
}
