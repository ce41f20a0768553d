import Cryptography
import KeyTesting
import Signatures
import Testing
import Vocabulary

/// Which signatures a server accepts.
@Suite struct TokenSignatureTests {
  private static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  /// RFC 7515, appendix A.1 to A.3, and RFC 8037, appendix A.4.
  ///
  /// Their payloads are no claims of ours, so a genuine one is refused for its contents, after its
  /// signature was verified.
  static let examples: [(key: [UInt8]?, token: String, fault: TokenFault)] = [
    (
      Base64URL.bytes(
        of: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
      ),
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      .missing(claim: "sub")
    ),
    (
      ExampleKeys.rsaPublic.bytes,
      "eyJhbGciOiJSUzI1NiJ9.\(payload)."
        + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"
        + "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
        + "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"
        + "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
      .missing(claim: "sub")
    ),
    (
      ExampleKeys.p256Public.bytes,
      "eyJhbGciOiJFUzI1NiJ9.\(payload)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
      .missing(claim: "sub")
    ),
    (
      ExampleKeys.ed25519Public.bytes,
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
        + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
      .malformed
    ),
  ]

  @Test(arguments: examples)
  func `the standards' examples are genuine, and changed ones are not`(
    key: [UInt8]?, token: String, fault: TokenFault
  ) throws {
    let verifier = try TokenVerifier(
      keys: TokenKeys(contents: #require(key)), audience: "matinee.example")
    #expect(verifier.fault(of: token) == fault)
    let signatureStart = try #require(token.lastIndex(of: "."))
    let signed = token[..<signatureStart]
    let signature = try #require(Base64URL.bytes(of: token[signatureStart...].dropFirst()))
    for place in signature.indices {
      var changed = signature
      changed[place] ^= 4
      #expect(verifier.fault(of: signed + "." + Base64URL.text(of: changed)) == .signature)
    }
    for wrong in [[], Array(signature.dropLast()), signature + [0], signature.map { _ in 0 }] {
      #expect(verifier.fault(of: signed + "." + Base64URL.text(of: wrong)) == .signature)
    }
    let claimsStart = try #require(token.firstIndex(of: "."))
    let other = token[...claimsStart] + "e30" + token[signatureStart...]
    #expect(verifier.fault(of: String(other)) == .signature)
  }

  /// Each algorithm's keys: what signs, and what the server has.
  static let keys: [(algorithm: String, private: String, public: String)] = [
    ("ES256", ExampleKeys.p256, ExampleKeys.p256Public),
    ("EdDSA", ExampleKeys.ed25519, ExampleKeys.ed25519Public),
    ("RS256", ExampleKeys.rsa, ExampleKeys.rsaPublic),
  ]

  @Test(arguments: keys)
  func `the algorithm is the key's, whatever the token says`(
    algorithm: String, private: String, public: String
  ) throws {
    let verifier = try TokenForge.verifier(`public`, audience: "here")
    let claims = #"{"sub":"ann","exp":1800003600,"aud":"here"}"#
    for said in ["ES256", "EdDSA", "RS256", "HS256", "none", "None", "", algorithm.lowercased()] {
      let header = #"{"alg":"\#(said)"}"#
      let token = try TokenForge.token(header: header, claims: claims, pem: `private`)
      let isRight = said == algorithm
      #expect(
        verifier.fault(of: token) == (isRight ? nil : .algorithm(expected: algorithm)), "\(said)")
    }
  }

  // CVE-2016-10555 and its kin: the public key, which everybody knows, as the secret of HMAC.
  @Test(arguments: keys)
  func `a public key is no secret`(
    algorithm: String, private: String, public: String
  ) throws {
    let verifier = try TokenForge.verifier(`public`, audience: "here")
    let claims = #"{"sub":"ann","exp":1800003600,"aud":"here"}"#
    for secret in [`public`, `public` + "\n", AdministratorKey.trimmed(`public`)] {
      for said in ["HS256", algorithm] {
        let token = TokenForge.token(
          header: #"{"alg":"\#(said)"}"#, claims: claims, secret: secret)
        #expect(
          verifier.fault(of: token)
            == (said == algorithm ? .signature : .algorithm(expected: algorithm)))
      }
    }
  }

  @Test(arguments: ["none", "None", "NONE", "nOnE", "", "HS512", "hs256", "HS256 "])
  func `a token without a signature, or with another algorithm, is refused`(said: String) throws {
    let verifier = try TokenForge.verifier()
    let signed = TokenForge.token(header: #"{"alg":"\#(said)"}"#)
    #expect(verifier.fault(of: signed) == .algorithm(expected: "HS256"))
    let unsigned = signed.prefix(through: try #require(signed.lastIndex(of: ".")))
    #expect(verifier.fault(of: String(unsigned)) == .algorithm(expected: "HS256"))
  }

  @Test func `a token of another secret is refused`() throws {
    let verifier = try TokenForge.verifier()
    #expect(verifier.fault(of: TokenForge.token()) == nil)
    for secret in ["", TokenForge.secret + "0", String(TokenForge.secret.dropLast())] {
      #expect(verifier.fault(of: TokenForge.token(secret: secret)) == .signature)
    }
  }
}
