import Cryptography
import KeyTesting
import Signatures
import Testing
import Vocabulary

/// Which files are keys for tokens.
@Suite struct TokenKeysTests {
  private func fault(_ contents: [UInt8]) -> TokenKeyFault? {
    do throws(TokenKeyFault) {
      _ = try TokenKeys(contents: contents)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a secret has 32 bytes and more, without the white space around it`() throws {
    for text in [TokenForge.secret, TokenForge.secret + "\n", "\r\n " + TokenForge.secret + " \n"] {
      #expect(try TokenForge.verifier(text).fault(of: TokenForge.token()) == nil)
    }
    #expect(fault(String(repeating: "k", count: 31).bytes) == .shortSecret)
    #expect(fault((String(repeating: "k", count: 31) + "\n\n\n").bytes) == .shortSecret)
    #expect(fault([UInt8](repeating: 0xFF, count: 31)) == .shortSecret)
    #expect(fault([UInt8](repeating: 0xFF, count: 32)) == nil)
    #expect(fault("".bytes) == .empty && fault(" \n".bytes) == .empty)
  }

  /// Contents that are no key file of a server, and the fault.
  static let files: [(contents: [UInt8], fault: TokenKeyFault)] = [
    (ExampleKeys.p256.bytes, .privateKey), (ExampleKeys.p256Encrypted.bytes, .privateKey),
    ((ExampleKeys.rsaPublic + "\n" + ExampleKeys.rsa).bytes, .privateKey),
    (ExampleKeys.p384Public.bytes, .unsupported), (ExampleKeys.x25519Public.bytes, .unsupported),
    (ExampleKeys.secp256k1Public.bytes, .unsupported),
    (ExampleKeys.shortRSAPublic.bytes, .size(bits: 1_024)),
    (String(ExampleKeys.p256Public.dropLast(40)).bytes, .unreadable),
    ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".bytes, .certificate),
    ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 ann@example".bytes, .notPEM),
    ("ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY ann".bytes, .notPEM),
    ("{".bytes, .notSet), (#"{"kty":"oct"}"#.bytes, .notSet), (#"{"keys":{}}"#.bytes, .notSet),
    (#"{"keys":[1]}"#.bytes, .notSet), (#"{"keys":[]}"#.bytes, .noKeyInSet),
  ]

  @Test(arguments: files)
  func `what is no key of a server is refused with a reason`(
    contents: [UInt8], fault: TokenKeyFault
  ) {
    #expect(self.fault(contents) == fault)
    #expect(!fault.problem.isEmpty && !fault.advice.isEmpty)
  }

  // Everybody may know a public key; were its file a secret, everybody could sign.
  @Test(arguments: [ExampleKeys.p256Public, ExampleKeys.ed25519Public, ExampleKeys.rsaPublic])
  func `a public key in another form is no secret`(pem: String) throws {
    let inside = pem.split(separator: "\n").dropFirst().dropLast()
    let forms: [[UInt8]] = [
      try PublicKey(pem: pem).der, inside.joined(separator: "\n").bytes, inside.joined().bytes,
      pem.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFF, 0xFE] + pem.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      [0xFC] + pem.bytes,
    ]
    for form in forms { #expect(throws: TokenKeyFault.self) { try TokenKeys(contents: form) } }
    #expect(fault(forms[0]) == .notPEM && fault(forms[1]) == .notPEM && fault(forms[2]) == .notPEM)
    // OpenSSL skips the mark of UTF-8.
    let marked = try TokenKeys(contents: "\u{FEFF}\(pem)".bytes)
    #expect(marked.requireAudience)
  }

  @Test func `a set in another form is no secret`() throws {
    let set = Self.set(#""kid":"p",\#(Self.p256)"#)
    for text in ["\u{FEFF}\(set)", "[{\(Self.p256)}]", "keys = \(set)"] {
      #expect(fault(text.bytes) == .notSet)
    }
    for mark in [[], [0xFF, 0xFE]] as [[UInt8]] {
      #expect(fault(mark + set.bytes.flatMap { [$0, 0] }) == .notPEM)
    }
  }

  // A server with a secret made like this has to start.
  @Test(arguments: [
    "f0c5a4b1d8e97c6a3b2f1e0d9c8b7a6f5e4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b",
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tL",
    "correct horse battery staple, twice",
    "8J+YgCBub3QgYSBrZXkgYnV0IGxvbmcgZW5vdWdo",
  ])
  func `any other text of that length is a secret`(text: String) {
    #expect(fault(text.bytes) == nil)
  }

  // MARK: Sets

  private static let p256 =
    #""kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU""#
    + #","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
  private static let ed25519 =
    #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#
  private static let rsa =
    #""kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmf"#
    + "HQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGz"
    + "jb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlx"
    + "vb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4F"
    + #"RWyuXpoQ""#
  private static let oct = #""kty":"oct","k":"\#(Base64URL.text(of: TokenForge.secret.bytes))""#

  private static func set(_ keys: String...) -> String {
    #"{"keys":[\#(keys.map { "{\($0)}" }.joined(separator: ","))]}"#
  }

  @Test func `a token names a key of the set, and that key's algorithm counts`() throws {
    let set = Self.set(
      #""kid":"p",\#(Self.p256)"#, #""kid":"e","alg":"EdDSA",\#(Self.ed25519)"#,
      #""kid":"r","use":"sig","key_ops":["verify"],\#(Self.rsa)"#, #""kid":"o",\#(Self.oct)"#)
    let verifier = try TokenForge.verifier(set, audience: "here")
    let claims = #"{"sub":"ann","exp":1800003600,"aud":"here"}"#
    let signers = [
      ("p", "ES256", ExampleKeys.p256), ("e", "EdDSA", ExampleKeys.ed25519),
      ("r", "RS256", ExampleKeys.rsa), ("o", "HS256", nil),
    ]
    for (name, algorithm, pem) in signers {
      for (named, expected) in signers.map({ ($0.0, $0.1) }) {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(named)"}"#
        let token =
          try pem.map { try TokenForge.token(header: header, claims: claims, pem: $0) }
          ?? TokenForge.token(header: header, claims: claims)
        #expect(
          verifier.fault(of: token) == (named == name ? nil : .algorithm(expected: expected)))
      }
    }
    for header in [
      #"{"alg":"HS256"}"#, #"{"alg":"HS256","kid":"x"}"#, #"{"alg":"HS256","kid":""}"#,
    ] {
      #expect(verifier.fault(of: TokenForge.token(header: header, claims: claims)) == .unknownKey)
    }
  }

  /// Keys beside a good one that are for something else.
  static let others = [
    #""kid":"x","kty":"EC","crv":"P-384","x":"AA","y":"AA""#, #""kid":"x","kty":"new""#,
    #""kid":"x","kty":"OKP","crv":"X25519","x":"AA""#, #""kid":"x","use":"enc",\#(rsa)"#,
    #""kid":"x","alg":"PS256",\#(rsa)"#, #""kid":"x","alg":"HS512",\#(oct)"#,
    #""kid":"x","key_ops":["encrypt"],\#(rsa)"#, #""use":"enc",\#(rsa)"#,
  ]

  @Test(arguments: others)
  func `a key for something else is left out`(other: String) throws {
    let set = Self.set(other, #""kid":"o",\#(Self.oct)"#)
    let verifier = try TokenForge.verifier(set, audience: "here")
    let claims = #"{"sub":"ann","exp":1800003600,"aud":"here"}"#
    for (name, fault) in [("o", nil), ("x", TokenFault.unknownKey)] {
      let token = TokenForge.token(header: #"{"alg":"HS256","kid":"\#(name)"}"#, claims: claims)
      #expect(verifier.fault(of: token) == fault)
    }
    #expect(fault(Self.set(other).bytes) == .noKeyInSet)
  }

  /// Second keys of a set that make it useless.
  static let flawed: [(key: String, fault: TokenKeyFault)] = [
    (p256, .keyID(number: 2)), (#""kid":"o",\#(p256)"#, .keyID(number: 2)),
    (#""kid":"x",\#(p256),"d":"AA""#, .key(number: 2, .privateKey)),
    (#""kid":"x","kty":"oct","k":"AAAA""#, .key(number: 2, .shortSecret)),
    (#""kid":"x","kty":"oct""#, .key(number: 2, .unreadable)),
    (#""kid":"x","kty":"EC","crv":"P-256","x":"AA","y":"AA""#, .key(number: 2, .unreadable)),
    (#""kid":"x",\#(p256.replacing("EU\"", with: "Ew\""))"#, .key(number: 2, .unreadable)),
    (#""kid":"x","kty":"OKP","crv":"Ed25519""#, .key(number: 2, .unreadable)),
    (#""kid":"x","kty":"RSA","n":"AQAB","e":"AQAB""#, .key(number: 2, .size(bits: 17))),
    (#""kid":"x",\#(rsa.replacing("AQAB", with: "AQ"))"#, .key(number: 2, .unreadable)),
    (#""kid":1,\#(p256)"#, .notSet), (#""kid":"x",\#(p256),"kid":"y""#, .notSet),
  ]

  @Test(arguments: flawed)
  func `a key that should be usable and is not makes the set invalid`(
    key: String, fault: TokenKeyFault
  ) {
    let set = Self.set(#""kid":"o",\#(Self.oct)"#, key)
    #expect(self.fault(set.bytes) == fault)
    #expect(!fault.description.isEmpty)
  }

  @Test func `the server can tell whether it still has the key of a token`() throws {
    let claims = #"{"sub":"ann","exp":1800003600,"aud":"here"}"#
    let token = TokenForge.token(header: #"{"alg":"HS256","kid":"o"}"#, claims: claims)
    let verifier = try TokenForge.verifier(
      Self.set(#""kid":"o",\#(Self.oct)"#, #""kid":"p",\#(Self.p256)"#), audience: "here")
    let key = try verifier.claims(in: token, at: TokenForge.now).key
    #expect(verifier.keys.contain(key))
    let renamed = Self.set(#""kid":"x",\#(Self.oct)"#)
    #expect(try TokenKeys(contents: renamed.bytes).contain(key))
    #expect(try TokenKeys(contents: TokenForge.secret.bytes).contain(key))
    #expect(try !TokenKeys(contents: ExampleKeys.p256Public.bytes).contain(key))
    #expect(try !TokenKeys(contents: (TokenForge.secret + "0").bytes).contain(key))
  }
}
