import EventLoops
import FolderTesting
import Foundation
import KeyTesting
import LoopTesting
import ProgramTesting
import Testing

/// A server that asks for tokens, attacked from outside.
@Suite struct AccessTests {
  private static let secret = "0123456789abcdef0123456789abcdef"
  private static let foreign = "fedcba9876543210fedcba9876543210"

  /// Signs a token with a key file, as `matinee token` does.
  private func token(_ arguments: [String], key: String, on test: TestLoop) throws -> String {
    let made = try Program.run(["token", "--key-file", key] + arguments, on: test)
    #expect(made.ending == .exited(code: 0), "\(made.errorOutput)")
    return String(made.output.dropLast())
  }

  private func hello(_ user: String, _ credential: String?) -> String {
    let proof = credential.map { #","credential":"\#($0)""# } ?? ""
    return #"{"type":"hello","user":"\#(user)"\#(proof)}"#
  }

  @Test
  func `forged, foreign, expired and confused tokens are refused, and the right one comes in`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      func file(_ name: String, _ text: String) throws -> String {
        _ = try PrivateFile.make(folder.path(of: name), Array(text.utf8))
        return folder.path(of: name)
      }
      let (mine, theirs) = (
        try file("key.pem", ExampleKeys.p256), try file("other.key", Self.foreign)
      )
      let verifying = try file("key.pub", ExampleKeys.p256Public)
      let (server, port) = try Program.serve(
        [
          "--access", "tokens", "--token-key-file", verifying, "--token-audience", "here",
          "--token-issuer", "backend",
        ], on: test)
      let names = ["--user", "ann", "--group", "friday"]
      let right = names + ["--audience", "here", "--issuer", "backend"]
      let good = try token(right, key: mine, on: test)
      let none = "eyJhbGciOiJub25lIn0." + good.split(separator: ".")[1] + "."
      let cases: [(credential: String?, reason: String)] = [
        (nil, "credentialRequired"), ("x.y.z", "malformed"), (none, "algorithm"),
        (String(good.dropLast(4)) + "AAAA", "signature"),
        (try token(right, key: theirs, on: test), "algorithm"),
        (
          try token(names + ["--audience", "there", "--issuer", "backend"], key: mine, on: test),
          "audience"
        ),
        (
          try token(names + ["--audience", "here", "--issuer", "eve"], key: mine, on: test),
          "issuer"
        ),
      ]
      for (credential, reason) in cases {
        let caller = try Caller(port: port, on: test)
        try caller.say(hello("ann", credential))
        try test.run { caller.hasEnded }
        #expect(caller.heard(reason), "\(reason): \(caller.lines)")
        #expect(!caller.heard("welcome"))
      }
      let other = try Caller(port: port, on: test)
      try other.say(hello("bob", good))
      try test.run { other.hasEnded }
      #expect(other.heard(#""reason":"user""#))
      let ann = try Caller(port: port, on: test)
      try ann.say(hello("ann", good))
      try ann.say(#"{"type":"joinGroup","id":1,"group":"club"}"#)
      try ann.say(#"{"type":"joinGroup","id":2,"group":"friday"}"#)
      try test.run { ann.heard(#""type":"ok","id":2"#) }
      #expect(ann.heard(#""access":"tokens""#))
      #expect(ann.heard(#""reason":"group""#))
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(!server.errorOutput.contains(good.suffix(20)), "no credential stands in the log")
      for (_, reason) in cases.dropFirst() {
        #expect(server.errorOutput.contains("cause=\(reason) "), "\(server.errorOutput)")
      }
    }
  }

  @Test
  func `a larger bound of credentials holds for tokens, too, and for keys that are read again`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let key = folder.path(of: "key")
      _ = try PrivateFile.make(key, Array(Self.secret.utf8))
      let (server, port) = try Program.serve(
        ["--access", "tokens", "--token-key-file", key, "--credential-bytes", "10000"], on: test)
      for isReadAgain in [false, true] {
        if isReadAgain {
          server.kill(.hangUp)
          try test.run { server.errorOutput.contains("read again") }
        }
        let caller = try Caller(port: port, on: test)
        try caller.say(hello("ann", String(repeating: "a", count: 9_000)))
        try test.run { caller.hasEnded }
        #expect(caller.heard(#""reason":"malformed""#), "\(caller.lines)")
      }
      server.kill(.terminate)
      try test.run { server.hasEnded }
    }
  }

  @Test func `a key that is replaced at SIGHUP closes its connections, and a bad file does not`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let key = folder.path(of: "key")
      _ = try PrivateFile.make(key, Array(Self.secret.utf8))
      let (server, port) = try Program.serve(
        ["--access", "tokens", "--token-key-file", key], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.say(hello("ann", try token(["--user", "ann"], key: key, on: test)))
      try test.run { ann.heard("welcome") }
      for (text, sign) in [("short", "no change of the keys"), (Self.foreign, "read again")] {
        try FileManager.default.removeItem(atPath: key)
        _ = try PrivateFile.make(key, Array(text.utf8))
        #expect(!ann.hasEnded)
        server.kill(.hangUp)
        try test.run { server.errorOutput.contains(sign) }
      }
      try test.run { ann.hasEnded }
      #expect(ann.heard(#""reason":"key""#))
      server.kill(.terminate)
      try test.run { server.hasEnded }
    }
  }

  @Test func `SIGHUP does not end a service that has no files to read again`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("no files to read again") || server.hasEnded }
      let ann = try Caller(port: port, on: test)
      try ann.say(hello("ann", nil))
      try test.run { ann.heard("welcome") }
      server.kill(.terminate)
      try test.run { server.hasEnded }
    }
  }

  @Test(arguments: [
    (["--access", "tokens"], "--token-key-file"), (["--token-key-file", "x"], "--access tokens"),
    (["--access", "closed"], "--access"), (["--access-key-file", "x"], "--access keys"),
    (["--link-host", "here"], "--access keys"),
    (["--access", "keys", "--link-host", "a b"], "--link-host takes a host's name"),
    (["--access", "keys", "--link-host", "film.example/a"], "--link-host takes a host's name"),
    (
      [
        "--access", "keys", "--syncplay", "127.0.0.1:0", "--syncplay-password", "sesame",
      ], "leave out"
    ),
  ])
  func `each mistake is told`(
    arguments: [String], words: String
  ) throws {
    try TestLoop.run { test in
      let server = try Program.run(["serve", "--journal", "memory"] + arguments, on: test)
      #expect(server.ending == .exited(code: 64))
      #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
    }
  }
}
