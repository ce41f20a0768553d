import Cryptography
import Signatures
import Testing
import Vocabulary

/// Tokens of the library with which backends in Swift sign.
@Suite struct JWTKitTests {
  private func checkClaims(_ example: JWTKitExamples.Example, _ verifier: TokenVerifier) throws {
    let claims = try verifier.claims(in: example.token, at: TokenForge.now)
    #expect(claims.user.text == "zoë" && claims.name == "Zoë" && !claims.isAdministrator)
    #expect(claims.groups == GroupGrants(["friday", "club-*"]))
  }

  @Test(arguments: JWTKitExamples.all)
  func `a token is accepted by its key, alone and in a set`(
    example: JWTKitExamples.Example
  ) throws {
    for key in [example.key, JWTKitExamples.keySet] {
      try checkClaims(example, try TokenForge.verifier(key, audience: "here"))
    }
  }

  @Test(arguments: JWTKitExamples.all)
  func `a token with one changed byte is refused, wherever it is`(
    example: JWTKitExamples.Example
  ) throws {
    let verifier = try TokenForge.verifier(example.key, audience: "here")
    for part in example.token.split(separator: ".") {
      let bytes = try #require(Base64URL.bytes(of: part))
      for place in bytes.indices {
        var changed = bytes
        changed[place] ^= 1
        let token =
          example.token[..<part.startIndex] + Base64URL.text(of: changed)
          + example.token[part.endIndex...]
        #expect(verifier.fault(of: String(token)) != nil, "byte \(place) of \(part)")
      }
    }
  }

  @Test func `no key accepts another one's token`() throws {
    for example in JWTKitExamples.all {
      let verifier = try TokenForge.verifier(example.key, audience: "here")
      for other in JWTKitExamples.all where other.algorithm != example.algorithm {
        #expect(
          verifier.fault(of: other.token) == .algorithm(expected: example.algorithm))
      }
    }
  }
}
