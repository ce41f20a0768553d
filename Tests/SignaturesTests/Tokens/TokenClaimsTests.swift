import KeyTesting
import Signatures
import Testing
import Vocabulary

/// Which headers and claims a server accepts of a token that is genuine.
@Suite struct TokenClaimsTests {
  @Test func `the claims are what the token says`() throws {
    let token = TokenForge.token(
      claims: #"""
        {"sub":"zoë","name":"Zoë Q.","groups":["friday","club-*"],"admin":true,
         "exp":1800003600.9,"nbf":1800000000,"iat":1,"iss":"x","roles":{"a":[1]}}
        """#)
    let claims = try TokenForge.verifier().claims(in: token, at: TokenForge.now)
    #expect(claims.user == UserID("zoë"))
    #expect(claims.name == "Zoë Q.")
    #expect(claims.groups == GroupGrants(["friday", "club-*"]))
    #expect(claims.isAdministrator)
    #expect(claims.expires == WallTime(seconds: 1_800_003_600))
  }

  @Test func `who is not said to be more is a person who may enter no group`() throws {
    for claims in [
      TokenForge.claims, #"{"sub":"ann","exp":1800003600,"name":null,"groups":null,"admin":null}"#,
      #"{"sub":"ann","exp":1800003600,"groups":[],"admin":false}"#,
    ] {
      let token = TokenForge.token(claims: claims)
      let read = try TokenForge.verifier().claims(in: token, at: TokenForge.now)
      #expect(read.user == UserID("ann") && read.name == nil && !read.isAdministrator)
      #expect(!read.groups.matches(GroupID("friday")))
    }
  }

  /// Fields beside a good `sub` and `exp`, and what is wrong with them.
  static let flaws: [(claims: String, claim: String)] = [
    (#"{"sub":"","exp":1800003600}"#, "sub"), (#"{"sub":7,"exp":1800003600}"#, "sub"),
    (#"{"sub":"a\u0000b","exp":1800003600}"#, "sub"),
    (#"{"sub":"a\u009bb","exp":1800003600}"#, "sub"),
    (#"{"sub":"\#(String(repeating: "a", count: 65))","exp":1800003600}"#, "sub"),
    (#"{"sub":"ann","exp":"1800003600"}"#, "exp"), (#"{"sub":"ann","exp":-1}"#, "exp"),
    (#"{"sub":"ann","exp":1e300}"#, "exp"), (#"{"sub":"ann","exp":true}"#, "exp"),
    (#"{"sub":"ann","exp":18446744073709551615}"#, "exp"),
    (#"{"sub":"ann","exp":1800003600,"nbf":"soon"}"#, "nbf"),
    (#"{"sub":"ann","exp":1800003600,"name":["Ann"]}"#, "name"),
    (#"{"sub":"ann","exp":1800003600,"name":"A\nnn"}"#, "name"),
    (#"{"sub":"ann","exp":1800003600,"name":"\#(String(repeating: "a", count: 257))"}"#, "name"),
    (#"{"sub":"ann","exp":1800003600,"admin":"true"}"#, "admin"),
    (#"{"sub":"ann","exp":1800003600,"admin":1}"#, "admin"),
    (#"{"sub":"ann","exp":1800003600,"groups":"*"}"#, "groups"),
    (#"{"sub":"ann","exp":1800003600,"groups":["a",2]}"#, "groups[1]"),
    (#"{"sub":"ann","exp":1800003600,"groups":["a",""]}"#, "groups[1]"),
    (#"{"sub":"ann","exp":1800003600,"iss":["x"]}"#, "iss"),
    (#"{"sub":"ann","exp":1800003600,"aud":{}}"#, "aud"),
    (#"{"sub":"ann","exp":1800003600,"aud":["here",1]}"#, "aud[1]"),
  ]

  @Test(arguments: flaws)
  func `a claim of the wrong kind is refused by its name`(claims: String, claim: String) throws {
    let fault = try TokenForge.verifier().fault(of: TokenForge.token(claims: claims))
    guard case .invalid(claim, _) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test(arguments: ["sub", "exp"])
  func `a claim that is needed has to be there`(claim: String) throws {
    let verifier = try TokenForge.verifier()
    for without in [
      TokenForge.claims.replacing(#""\#(claim)""#, with: #""other""#),
      #"{"\#(claim)":null,"\#(claim == "sub" ? "exp" : "sub")":\#(claim == "sub" ? "1800003600" : #""a""#)}"#,
    ] {
      #expect(verifier.fault(of: TokenForge.token(claims: without)) == .missing(claim: claim))
    }
  }

  /// Seconds from now to `exp` and `nbf`.
  static let times: [(expires: Int, starts: Int?, fault: TokenFault?)] = [
    (1, nil, nil), (0, nil, nil), (-59, nil, nil), (-60, nil, .expired), (-61, nil, .expired),
    (-1_800_000_000, nil, .expired), (9_000_000, 0, nil), (100, 60, nil),
    (100, 61, .notYetValid), (100, -100, nil), (-61, 61, .expired),
  ]

  @Test(arguments: times)
  func `a token lives from nbf to exp, and a minute longer at both ends`(
    expires: Int, starts: Int?, fault: TokenFault?
  ) throws {
    let now = 1_800_000_000
    let start = starts.map { #","nbf":\#(now + $0)"# } ?? ""
    let token = TokenForge.token(claims: #"{"sub":"ann","exp":\#(now + expires)\#(start)}"#)
    #expect(try TokenForge.verifier().fault(of: token) == fault)
  }

  @Test(arguments: [Int64.min, 0, .max])
  func `a wrong clock traps nothing`(now: Int64) throws {
    let token = TokenForge.token(claims: #"{"sub":"ann","exp":253402300799,"nbf":0}"#)
    let fault = try TokenForge.verifier().fault(of: token, at: WallTime(seconds: now))
    #expect(fault == (now == 0 ? nil : now < 0 ? .notYetValid : .expired))
  }

  /// What the server is configured with, what the token says beside `sub` and `exp`, and the fault.
  static let names: [(issuer: String?, audience: String?, said: String, fault: TokenFault?)] = [
    (nil, nil, "", nil), (nil, nil, #","iss":"x""#, nil), ("x", nil, #","iss":"x""#, nil),
    ("x", nil, "", .issuer), ("x", nil, #","iss":"X""#, .issuer),
    ("x", nil, #","iss":"xy""#, .issuer),
    (nil, "m", #","aud":"m""#, nil), (nil, "m", #","aud":["a","m"]"#, nil),
    (nil, "m", "", .audience), (nil, "m", #","aud":[]"#, .audience),
    (nil, "m", #","aud":"M""#, .audience), (nil, "m", #","aud":["a","mm"]"#, .audience),
    (nil, "m", #","aud":null"#, .audience), (nil, nil, #","aud":"m""#, .audience),
    (nil, nil, #","aud":[]"#, .audience), ("x", "m", #","iss":"x","aud":"m""#, nil),
    ("x", "m", #","iss":"y","aud":"m""#, .issuer), ("x", "m", #","iss":"x""#, .audience),
  ]

  @Test(arguments: names)
  func `a token for or from somebody else is refused`(
    issuer: String?, audience: String?, said: String, fault: TokenFault?
  ) throws {
    let verifier = try TokenForge.verifier(issuer: issuer, audience: audience)
    let token = TokenForge.token(claims: #"{"sub":"ann","exp":1800003600\#(said)}"#)
    #expect(verifier.fault(of: token) == fault)
  }

  /// Headers of a token that is signed with the secret.
  static let headers: [(header: String, fault: TokenFault?)] = [
    (#"{"alg":"HS256"}"#, nil), (#"{"alg":"HS256","typ":"at+jwt","kid":"any","x":[]}"#, nil),
    (#"{"alg":"HS256","crit":["exp"]}"#, .extensionRequired),
    (#"{"alg":"HS256","crit":[]}"#, .extensionRequired),
    (#"{"alg":"HS256","crit":null}"#, .extensionRequired),
    (#"{"alg":"HS256","b64":false,"crit":["b64"]}"#, .extensionRequired),
    (#"{"alg":"none","alg":"HS256"}"#, .repeatedField),
    (#"{"alg":"HS256","alg":"HS256"}"#, .repeatedField),
    (#"{"alg":"HS256","\u0061lg":"none"}"#, .repeatedField),
    (#"{"typ":"JWT"}"#, .missing(claim: "alg")),
    (#"{"alg":["HS256"]}"#, .invalid(claim: "alg", allowed: "a string")),
    (#"{"alg":"HS256","kid":1}"#, .invalid(claim: "kid", allowed: "a string")),
    (#"["HS256"]"#, .malformed), ("HS256", .malformed), ("", .malformed),
    (#"{"alg":"HS256"} {}"#, .malformed),
  ]

  @Test(arguments: headers)
  func `a header says how to read the token, and nothing more`(
    header: String, fault: TokenFault?
  ) throws {
    #expect(try TokenForge.verifier().fault(of: TokenForge.token(header: header)) == fault)
  }

  @Test(arguments: [
    #"{"sub":"ann","exp":1800003600,"sub":"ben"}"#,
    #"{"sub":"ann","exp":1800003600,"x":1,"x":1}"#,
    #"{"sub":"ann","exp":1800003600,"admin":false,"\u0061dmin":true}"#,
  ])
  func `a claim that stands twice is refused`(claims: String) throws {
    #expect(
      try TokenForge.verifier().fault(of: TokenForge.token(claims: claims)) == .repeatedField)
  }

  @Test func `a public key and a set of keys need an audience`() throws {
    let set = #"{"keys":[{"kty":"oct","kid":"a","k":"\#(String(repeating: "A", count: 43))"}]}"#
    for contents in [ExampleKeys.p256Public, ExampleKeys.rsaPublic, set] {
      #expect(throws: TokenConfigurationFault.audienceRequired) {
        try TokenForge.verifier(contents, issuer: "x")
      }
      #expect(throws: TokenConfigurationFault.emptyName) {
        try TokenForge.verifier(contents, audience: "")
      }
      _ = try TokenForge.verifier(contents, audience: "here")
    }
  }
}

@Suite struct GroupGrantsTests {
  @Test(arguments: [
    ([], "friday", false), (["friday"], "friday", true), (["friday"], "fridays", false),
    (["friday"], "Friday", false), (["club-*"], "club-chess", true), (["club-*"], "club-", true),
    (["club-*"], "club", false), (["a", "club-*"], "xclub-1", false), (["*"], "any", true),
    (["*"], "", true), (["a*b"], "a*b", true), (["a*b"], "axb", false), (["**"], "*x", true),
    (["**"], "x", false), (["cafe*"], "cafe\u{301}", false), (["cafe*"], "caf\u{E9}", false),
    (["caf\u{E9}*"], "cafe\u{301}-1", true), (["caf\u{E9}"], "cafe\u{301}", true),
  ])
  func `a name or a prefix grants a group`(patterns: [String], group: String, matches: Bool) {
    #expect(GroupGrants(patterns).matches(GroupID(group)) == matches)
  }
}
