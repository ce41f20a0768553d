import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// `--token-file` of the commands that say hello.
@Suite struct TokenFileTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  static let commands: [[String]] = [
    ["join", "--group", "friday", "--as", "Ann", "--player", "simulated"], ["status"],
    ["push", "--user", "ann", "--body", "Hi", "--admin-key-file", "FOLDER/admin.key"],
    ["campaigns", "explain", "ann"],
  ]

  /// Writes a token for somebody into a file, as `matinee token` prints it.
  private func make(_ user: String, in folder: ScratchFolder, on test: TestLoop) throws -> String {
    let (key, file) = (folder.path(of: "token.key"), folder.path(of: user + ".token"))
    _ = try PrivateFile.make(key, Array(Self.secret.utf8))
    let made = try Program.run(
      ["token", "--key-file", key, "--user", user, "--name", "Zoë", "--group", "friday"], on: test)
    try #require(made.ending == .exited(code: 0), "\(made.errorOutput)")
    _ = try PrivateFile.make(file, Array(made.output.utf8))
    return file
  }

  @Test(arguments: commands)
  func `without a token in the file nothing is asked`(command: [String]) throws {
    try TestLoop.run { test in
      let folder = try PushTests.folder()
      for (name, text, words) in [
        ("none", nil, "there is no such file; name the file that holds the token"),
        ("empty", " \n", "the file is empty; write a token into it"),
        ("words", "hush hush", "this is no token (JWT)"),
        ("key", "hush-hush-hush", "this is no token (JWT)"),
        ("claims", "aHVzaA.aHVzaA.aHVzaA", "this is no token (JWT) with the person's name"),
        ("nobody", "e30.eyJzdWIiOiIifQ.aHVzaA", "this is no token (JWT) with the person's name"),
      ] {
        let file = folder.path(of: name)
        if let text { _ = try PrivateFile.make(file, Array(text.utf8)) }
        let program = try Program.run(
          command.map { $0.replacing("FOLDER", with: folder.path) } + ["--token-file", file],
          on: test)
        #expect(program.ending == .exited(code: 66), "\(program.errorOutput)")
        #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
        #expect(!program.errorOutput.contains("hush") && program.output.isEmpty)
      }
    }
  }

  @Test func `a token that others may read is none`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["open": "a.b.c"])
      let program = try Program.run(["status", "--token-file", folder.path(of: "open")], on: test)
      #expect(program.ending == .exited(code: 66))
      #expect(program.errorOutput.contains("others may read or change the file; restrict it"))
    }
  }

  @Test func `whoever has a token is the person that it names`() throws {
    try TestLoop.run { test in
      let folder = try PushTests.folder()
      let (server, port) = try Program.serve(
        ["--admin-key-file", folder.path(of: "admin.key")], on: test)
      let file = try make("zoe", in: folder, on: test)
      let ann = try Program.join("Ann", port, ["--token-file", file], on: test)
      try test.run { ann.output.contains("waiting for somebody else") }
      let at = ["--server", "127.0.0.1:\(port)", "--token-file", file]
      let status = try Program.run(["status", "--json"] + at, on: test)
      #expect(status.ending == .exited(code: 0), "\(status.errorOutput)")
      #expect(status.output.contains(#""user":"zoe""#), "\(status.output)")
      let push = try Program.run(
        [
          "push", "--user", "zoe", "--body", "Hi", "--admin-key-file",
          folder.path(of: "admin.key"),
        ] + at, on: test)
      #expect(push.ending == .exited(code: 0), "\(push.errorOutput)")
      #expect(!server.hasEnded)
    }
  }
}
