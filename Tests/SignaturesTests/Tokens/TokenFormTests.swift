import Signatures
import Testing
import Vocabulary

/// Which texts are tokens at all.
@Suite struct TokenFormTests {
  let verifier: TokenVerifier

  init() throws {
    verifier = try TokenForge.verifier()
  }

  @Test(arguments: [
    "", ".", "..", "...", "a", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", "é.e30.e30", "e30=.e30.e30",
    "e30.e30.e30.e30", " e30.e30.e30", "\0.\0.\0",
  ])
  func `any other text is no token`(text: String) {
    let fault = verifier.fault(of: text)
    #expect(fault == .malformed || fault == .missing(claim: "alg"), "\(String(describing: fault))")
  }

  @Test func `a token is written in one way only`() {
    let token = TokenForge.token()
    #expect(verifier.fault(of: token) == nil)
    for other in [token + "=", token + "\n", " " + token, token + ".", token + ".x"] {
      #expect(verifier.fault(of: other) == .malformed)
    }
    // The last letter carries four bits of nothing; other values of them are another text.
    let letters = Array(token)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    let accepted = alphabet.filter {
      verifier.fault(of: String(letters.dropLast()) + "\($0)") == nil
    }
    #expect(accepted.count == 1)
  }

  @Test func `a token has at most 8 KiB`() throws {
    func token(_ size: Int) -> String {
      TokenForge.token(
        claims: #"{"sub":"ann","exp":1800003600,"x":"\#(String(repeating: "x", count: size))"}"#)
    }
    let size = try #require((5_900..<6_200).last { token($0).utf8.count <= TokenSigner.longest })
    #expect(verifier.fault(of: token(size)) == nil)
    #expect(verifier.fault(of: token(size + 3)) == .tooLong(limit: 8_192))
    #expect(verifier.fault(of: String(repeating: "a", count: 1_000_000)) == .tooLong(limit: 8_192))
  }

  @Test func `a server's bound of credentials is that of tokens`() throws {
    let token = TokenForge.token(claims: #"{"sub":"ann","exp":1800003600}"#)
    for (bound, isRead) in [(token.utf8.count, true), (token.utf8.count - 1, false)] {
      var limits = Limits()
      limits.credentialBytes = bound
      let verifier = try TokenForge.verifier(limits: limits)
      #expect(verifier.fault(of: token) == (isRead ? nil : .tooLong(limit: bound)))
    }
  }

  @Test func `deep claims and broken Unicode are refused`() {
    let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    for claims in [
      #"{"sub":"ann","exp":1800003600,"x":\#(deep)}"#, #"{"sub":"\udc00","exp":1800003600}"#,
      #"{"sub":"ann","exp":1800003600,"\ud800":1}"#, #"{"sub":"ann","exp":NaN}"#,
    ] {
      #expect(verifier.fault(of: TokenForge.token(claims: claims)) == .malformed)
    }
  }

  @Test func `no token traps, and none that was changed is accepted`() {
    var chance = SplitMix64(seed: 8_725)
    let token = TokenForge.token(
      claims: #"{"sub":"ann","exp":1800003600,"groups":["a","b*"],"name":"Ann"}"#)
    let letters = Array("ABCxyz019-_.= \u{0}\u{7F}é{}\"".unicodeScalars)
    for _ in 0..<20_000 {
      var text = Array(token.unicodeScalars)
      for _ in 0...Int.random(in: 0..<4, using: &chance) {
        let place = Int.random(in: 0..<text.count, using: &chance)
        let letter = letters[Int.random(in: 0..<letters.count, using: &chance)]
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: text[place] = letter
        case 1: text.remove(at: place)
        case 2: text.insert(letter, at: place)
        default: text = Array(text[place...] + text[..<place])
        }
      }
      var changed = String.UnicodeScalarView()
      changed.append(contentsOf: text)
      if String(changed) != token { #expect(verifier.fault(of: String(changed)) != nil) }
    }
  }

  @Test func `no claims or header that were signed trap`() throws {
    var chance = SplitMix64(seed: 7_519)
    let parts = [
      #"{"#, #"}"#, #"["#, #"]"#, #","#, #":"#, #""sub""#, #""exp""#, #""aud""#, #""groups""#,
      #""alg""#, #""HS256""#, #""ann""#, "1800003600", "-1", "1e400", "null", "true", #""\u0000""#,
      #""nbf""#, #""iss""#, #""admin""#, #""name""#, #""crit""#, #""kid""#, "18446744073709551616",
    ]
    func text() -> String {
      (0..<Int.random(in: 0..<14, using: &chance)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &chance)]
      }.joined()
    }
    func object() -> String {
      let names = parts.filter { $0.hasPrefix("\"") }
      let fields = (0..<Int.random(in: 0..<6, using: &chance)).map { _ in
        names[Int.random(in: 0..<names.count, using: &chance)] + ":"
          + parts[Int.random(in: 6..<parts.count, using: &chance)]
      }
      return "{" + fields.joined(separator: ",") + "}"
    }
    for _ in 0..<5_000 {
      _ = verifier.fault(of: TokenForge.token(claims: text()))
      _ = verifier.fault(of: TokenForge.token(claims: object()))
      _ = verifier.fault(of: TokenForge.token(header: object()))
      _ = verifier.fault(of: TokenForge.token(header: text()))
    }
  }

  /// Each fault once.
  static let faults: [TokenFault] = [
    .tooLong(limit: 8_192), .malformed, .repeatedField, .algorithm(expected: "HS256"), .unknownKey,
    .extensionRequired, .signature, .missing(claim: "sub"),
    .invalid(claim: "exp", allowed: "a number"), .expired, .notYetValid, .issuer, .audience,
  ]

  @Test(arguments: faults)
  func `a fault says what is wrong and what to do`(fault: TokenFault) {
    #expect(fault.description.contains(/token|JWT/))
    #expect(fault.description.contains(/; |must be/))
  }
}
