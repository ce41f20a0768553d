import EventLoops
import FolderTesting
import KeyTesting
import LoopTesting
import ProgramTesting
import Signatures
import Testing
import Vocabulary

/// `matinee token` as a person uses it, and tokens of PyJWT, a library that backends use.
@Suite struct TokenTests {
  private static let secret = "0123456789abcdef0123456789abcdef"
  /// Debian's interpreter, because its packages have the library (`python3-jwt`).
  private static let python = "/usr/bin/python3"

  /// What signs, what verifies, and the algorithm.
  static let keys: [(private: String, public: String, algorithm: String)] = [
    (secret, secret, "HS256"), (ExampleKeys.p256, ExampleKeys.p256Public, "ES256"),
    (ExampleKeys.ed25519, ExampleKeys.ed25519Public, "EdDSA"),
    (ExampleKeys.rsa, ExampleKeys.rsaPublic, "RS256"),
  ]

  private static func now() -> WallTime {
    WallTime(seconds: WallClock.read().microseconds / 1_000_000)
  }

  private static func verifier(_ contents: String) throws -> TokenVerifier {
    try TokenVerifier(
      keys: TokenKeys(contents: Array(contents.utf8)), issuer: "backend", audience: "here")
  }

  @Test(arguments: keys)
  func `another library accepts the token`(
    private: String, public: String, algorithm: String
  ) throws {
    let script = """
      import jwt, sys
      claims = jwt.decode(sys.argv[1], sys.argv[2], algorithms=[sys.argv[3]], audience="here",
                          issuer="backend", options={"require": ["exp", "iat"]})
      print(claims["sub"], claims["name"], claims["groups"], claims["admin"],
            claims["exp"] - claims["iat"], jwt.get_unverified_header(sys.argv[1])["kid"])
      """
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let file = folder.path(of: "token.key")
      _ = try PrivateFile.make(file, Array(`private`.utf8))
      let made = try Program.run(
        [
          "token", "--key-file", file, "--user", "zoë", "--name", "Zoë", "--group", "friday",
          "--group", "club-*", "--admin", "--for", "2h", "--audience", "here", "--issuer",
          "backend", "--key-id", "k1",
        ], on: test)
      #expect(made.ending == .exited(code: 0), "\(made.errorOutput)")
      let token = String(made.output.dropLast())
      #expect(made.output.last == "\n" && !token.contains("\n"))
      let read = try Program.run(
        ["-c", script, token, `public`, algorithm], of: Self.python, on: test)
      #expect(
        read.output == "zoë Zoë ['friday', 'club-*'] True 7200 k1\n", "\(read.errorOutput)")
      let claims = try Self.verifier(`public`).claims(in: token, at: Self.now())
      #expect(claims.user.text == "zoë" && claims.isAdministrator)
    }
  }

  /// Changes to a good token, in Python, and the fault.
  static let changes: [(change: String, fault: TokenFault?)] = [
    ("pass", nil), ("claims['aud'] = ['other', 'here']", nil),
    ("claims['exp'] = now - datetime.timedelta(seconds=50)", nil),
    ("claims['exp'] = now - datetime.timedelta(seconds=90)", .expired),
    ("claims['nbf'] = now + datetime.timedelta(seconds=90)", .notYetValid),
    ("claims['aud'] = 'other'", .audience), ("claims['iss'] = 'other'", .issuer),
    ("del claims['exp']", .missing(claim: "exp")), ("del claims['sub']", .missing(claim: "sub")),
    ("headers['crit'] = ['exp']", .extensionRequired),
  ]

  @Test(arguments: keys)
  func `another library's tokens are accepted by the same rules`(
    private: String, public: String, algorithm: String
  ) throws {
    let script = """
      import jwt, sys, datetime
      now = datetime.datetime.now(datetime.timezone.utc)
      for change in sys.argv[3:]:
        headers = {"kid": "k1"}
        claims = {"sub": "zoë", "name": "Zoë", "groups": ["friday", "club-*"], "iat": now,
                  "exp": now + datetime.timedelta(hours=1), "aud": "here", "iss": "backend"}
        exec(change)
        print(jwt.encode(claims, sys.argv[1], algorithm=sys.argv[2], headers=headers))
      """
    try TestLoop.run { test in
      let made = try Program.run(
        ["-c", script, `private`, algorithm] + Self.changes.map(\.change), of: Self.python,
        on: test)
      let tokens = made.output.split(separator: "\n").map(String.init)
      try #require(tokens.count == Self.changes.count, "\(made.errorOutput)")
      let verifier = try Self.verifier(`public`)
      for (token, change) in zip(tokens, Self.changes) {
        do throws(TokenFault) {
          let claims = try verifier.claims(in: token, at: Self.now())
          #expect(claims.user.text == "zoë" && claims.name == "Zoë" && !claims.isAdministrator)
          #expect(claims.groups == GroupGrants(["friday", "club-*"]))
          #expect(change.fault == nil, "\(change.change)")
        } catch {
          #expect(change.fault == error, "\(change.change)")
        }
      }
    }
  }

  @Test func `without a good key there is no token`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let files = [
        ("none", nil, "there is no such file"),
        ("short", "hush-hush", "fewer than 32 bytes; make one"),
        ("public", ExampleKeys.p256Public, "this is a public key, and it cannot sign; name"),
        ("locked", ExampleKeys.p256Encrypted, "complete and not encrypted"),
        ("p384", ExampleKeys.p384, "another kind than P-256"),
      ]
      for (name, text, words) in files {
        if let text { _ = try PrivateFile.make(folder.path(of: name), Array(text.utf8)) }
        let program = try Program.run(
          ["token", "--user", "ann", "--key-file", folder.path(of: name)], on: test)
        #expect(program.ending == .exited(code: 66))
        #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
        #expect(program.output.isEmpty && !program.errorOutput.contains("hush"))
      }
      let pair = folder.path(of: "pair")
      _ = try PrivateFile.make(pair, Array(ExampleKeys.p256.utf8))
      let program = try Program.run(["token", "--user", "ann", "--key-file", pair], on: test)
      #expect(program.ending == .exited(code: 64))
      #expect(program.errorOutput.contains("give --audience"))
    }
  }
}
