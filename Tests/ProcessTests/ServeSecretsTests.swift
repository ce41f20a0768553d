import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The sources of the server's secrets, and the places where they must not appear.
@Suite struct ServeSecretsTests {
  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func stop(_ server: Program, on test: TestLoop) throws {
    server.kill(.terminate)
    try test.run { server.hasEnded }
    #expect(server.ending == .exited(code: 0))
  }

  @Test func `the key of invitations is made beside the journal, once, for nobody else to read`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "journal.sqlite.invitation-key")
      let (first, _) = try Program.serve(["--journal", folder.journal], on: test)
      let made = try #require(FileManager.default.contents(atPath: path))
      #expect(try mode(of: path) == 0o600)
      #expect(made.count == 44)
      try stop(first, on: test)
      let (second, _) = try Program.serve(["--journal", folder.journal], on: test)
      #expect(FileManager.default.contents(atPath: path) == made)
      #expect(!second.errorOutput.contains(String(decoding: made.dropLast(), as: UTF8.self)))
      try stop(second, on: test)

      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let (third, port) = try Program.serve(["--journal", folder.journal], on: test)
      try test.run { third.hasEnded }
      #expect(port == 0 && third.ending == .exited(code: 66))
      #expect(third.errorOutput.contains("others may read or change the file; restrict it"))
    }
  }

  @Test func `a key of invitations may stand anywhere, and a journal in memory needs none`() throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "key")
      let (server, _) = try Program.serve(["--invitation-key-file", path], on: test)
      #expect(try mode(of: path) == 0o600)
      try stop(server, on: test)
      let (other, _) = try Program.serve(on: test)
      try stop(other, on: test)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["key"])
    }
  }

  @Test func `the link that opens groups is printed until the first group is open`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let options = ["--access", "keys", "--journal", folder.journal, "--http", "127.0.0.1:0"]
      // It has made the key when it fails.
      let (failed, _) = try Program.serve(
        options + ["--media", folder.path(of: "none")], on: test)
      try test.run { failed.hasEnded }
      #expect(failed.ending == .exited(code: 66) && failed.output.isEmpty)
      let (server, port) = try Program.serve(options, on: test)
      let link = try server.foundingLink(on: test)
      try test.run { server.output.contains("In a browser") || server.hasEnded }
      let key = try #require(link.split(separator: "#").last)
      let ann = try Caller(port: port, on: test)
      try ann.say(
        #"{"type":"hello","user":"ann","credential":"0000000000000000000000000a"}"#,
        #"{"type":"joinGroup","id":1,"group":"friday","key":"\#(key)"}"#)
      try test.run { ann.heard(#""id":1"#) }
      #expect(ann.heard(#""type":"ok","id":1"#), "\(ann.lines)")
      try stop(server, on: test)
      let (later, _) = try Program.serve(options, on: test)
      try stop(later, on: test)
      #expect(later.output.isEmpty)
      let path = folder.path(of: "journal.sqlite.access-key")
      #expect(later.errorOutput.contains("links=matinee invite --access-key-file \(path)"))
    }
  }

  @Test func `the command that the log names prints the link of the start`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (server, _) = try Program.serve(
        [
          "--access", "keys", "--journal", folder.journal, "--tls-certificate", "own",
          "--link-host", "film.example",
        ], on: test)
      let link = try server.foundingLink(on: test)
      let hint = try #require(server.errorOutput.firstMatch(of: /links=matinee ([^\n]*?) mode=/)).1
      let printed = try Program.run(hint.split(separator: " ").map(String.init), on: test)
      #expect(printed.output.contains(link), "\(hint): \(printed.output)\(printed.errorOutput)")
    }
  }

  @Test func `a file that holds no key is a clear error`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "key")
      _ = try PrivateFile.make(path, Array("c2VjcmV0-of-nobody".utf8))
      for (options, words) in [
        (["--invitation-key-file", path], "this is neither 32 bytes nor their Base64URL"),
        (["--admin-key-file", folder.path(of: "none")], "there is no such file"),
        (
          ["--web-push-key-file", path, "--web-push-subject", "mailto:a@example.org"],
          "this is neither PEM nor a key in Base64URL"
        ),
        (
          ["--apns-key-file", path, "--apns-key-id", "ABC123DEFG", "--apns-team-id", "TEAM123456"],
          "this is neither PEM nor a key in Base64URL"
        ),
      ] {
        let (server, port) = try Program.serve(options, on: test)
        try test.run { server.hasEnded }
        #expect(port == 0 && server.ending == .exited(code: 66))
        #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
        #expect(!server.errorOutput.contains("c2VjcmV0"))
      }
    }
  }

  @Test(arguments: [
    (["--web-push-key-file", "k"], "give --web-push-subject mailto:you@example.org"),
    (["--web-push-subject", "mailto:a@example.org"], "give --web-push-key-file, too"),
    (["--web-push-plain"], "give --web-push-key-file, too"),
    (
      ["--web-push-key-file", "k", "--web-push-subject", "me"],
      "`me` is not a contact; write mailto: and an address"
    ),
    (
      [
        "--web-push-key-file", "k", "--web-push-subject", "mailto:a@example.org",
        "--web-push-host", "https://push.example.org",
      ], "takes a host in lower case, such as push.example.org"
    ),
    (["--apns-key-file", "k"], "--apns-key-file, --apns-key-id and --apns-team-id, all three"),
    (["--apns-server", "https://localhost"], "all three"),
    (
      ["--apns-key-file", "k", "--apns-key-id", "short", "--apns-team-id", "TEAM123456"],
      "`short` is not the id of a key or team"
    ),
    (
      [
        "--apns-key-file", "k", "--apns-key-id", "ABC123DEFG", "--apns-team-id", "TEAM123456",
        "--apns-server", "http://localhost/",
      ], "--apns-server takes https:// and a host"
    ),
  ])
  func `half a configuration is told before any file is touched`(
    options: [String], words: String
  ) throws {
    try TestLoop.run { test in
      let program = try Program.run(["serve", "--journal", "memory"] + options, on: test)
      #expect(program.ending == .exited(code: 64))
      #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
      #expect(!FileManager.default.fileExists(atPath: "k"))
    }
  }

  @Test func `a taken port is a clear error with push services, too`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (server, port) = try Program.serve(on: test)
      let (second, _) = try Program.serve(
        [
          "--web-push-key-file", folder.path(of: "key"), "--web-push-subject",
          "mailto:a@example.org",
        ], port: port, on: test)
      try test.run { second.hasEnded }
      #expect(second.ending == .exited(code: 69))
      #expect(second.errorOutput.contains("stop the program that listens there"))
      #expect(!server.hasEnded)
    }
  }
}
