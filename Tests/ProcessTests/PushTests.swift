import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// `matinee push` as a person uses it.
@Suite struct PushTests {
  static let key = "a-key-of-the-tests-own-0123456789"

  /// A folder with a key file that only its owner can read.
  static func folder(_ text: String = key + "\n") throws -> ScratchFolder {
    let folder = try ScratchFolder()
    _ = try PrivateFile.make(folder.path(of: "admin.key"), Array(text.utf8))
    return folder
  }

  /// Command lines with a mistake each, and the message.
  static let mistakes: [(arguments: [String], words: String)] = [
    ([], "name a person with --user, or a topic with --topic, one of the two"),
    (["--user", "ann", "--topic", "app/x"], "one of the two"),
    (["--user", ""], "name a person"),
    (["--user", "ann"], "give a text with --title or --body, or write --silent"),
    (["--user", "ann", "--subtitle", "Hm"], "give a text with --title or --body"),
    (["--user", "ann", "--silent", "--body", "Hi"], "leave --body out, or --silent"),
    (["--user", "ann", "--silent", "--sound", "default"], "leave --sound out, or --silent"),
    (["--user", "ann", "--body", ""], "--body is empty; write something, or leave it out"),
    (["--user", "ann", "--title", "Hi", "--subtitle", " "], "--subtitle is empty"),
    (["--topic", "app/news", "--body", "Hi", "--sound", "default"], "--sound is for --user"),
    (["--user", "ann", "--body", "Hi", "--data", "level"], "<key=value>"),
    (["--user", "ann", "--body", "Hi", "--data", "aps=1"], "--data cannot set aps"),
    (["--user", "ann", "--body", "Hi", "--data", "a=1", "--data", "a=2"], "gives a twice"),
    (
      ["--user", "ann", "--body", "Hi", "--time-to-live", "0"], "takes 1 to 2419200 seconds, not 0"
    ),
    (["--user", "ann", "--body", "Hi", "--time-to-live", "-5"], "seconds, not -5"),
    (
      ["--user", "ann", "--body", String(repeating: "x", count: 4_096)],
      "and 4096 are allowed; shorten it"
    ),
    (["--topic", "news", "--body", "Hi"], "--topic takes app/ and a name, such as app/news"),
    (["--topic", "group/friday", "--body", "Hi"], "only apps publish to others"),
    (["--topic", "app/news", "--body", "Hi", "--collapse-id", "C"], "--collapse-id is for --user"),
    (["--topic", "app/news", "--body", "Hi", "--time-to-live", "9"], "--time-to-live is for"),
    (["--user", "ann", "--body", "Hi", "--server", "nowhere"], "--server takes host:port"),
    (["--user", "ann", "--body", "Hi", "--server", "::1"], "such as [::1]:7878, not ::1"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with what would be right`(arguments: [String], words: String) throws {
    try TestLoop.run { test in
      let folder = try Self.folder()
      let program = try Program.run(
        ["push", "--admin-key-file", folder.path(of: "admin.key")] + arguments, on: test)
      #expect(program.ending == .exited(code: 64))
      #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
      #expect(program.output.isEmpty)
    }
  }

  @Test func `without a key's file there is nothing to show`() throws {
    try TestLoop.run { test in
      let push = ["push", "--user", "ann", "--body", "Hi"]
      let none = try Program.run(push, on: test)
      #expect(none.ending == .exited(code: 64))
      #expect(none.errorOutput.contains("--admin-key-file <file>"))
      let folder = try Self.folder()
      for (name, words) in [
        ("nothing", "there is no such file; name the file that holds the key"),
        ("short.key", "the key has fewer than 16 letters; make another: "),
        ("empty.key", "the file is empty; write the key into it"),
        ("words.key", "a key is one word of visible letters of ASCII"),
      ] {
        let texts = [
          "short.key": "secret", "empty.key": " \n", "words.key": "two words are no key",
        ]
        if let text = texts[name] {
          _ = try PrivateFile.make(folder.path(of: name), Array(text.utf8))
        }
        let program = try Program.run(
          push + ["--admin-key-file", folder.path(of: name)], on: test)
        #expect(program.ending == .exited(code: 66))
        #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
        #expect(!program.errorOutput.contains("secret") && !program.errorOutput.contains("two w"))
      }
    }
  }

  @Test func `whoever is connected gets it at once, with all that was said`() throws {
    try TestLoop.run { test in
      let folder = try Self.folder()
      let key = ["--admin-key-file", folder.path(of: "admin.key")]
      let (server, port) = try Program.serve(key, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.greet(as: "ann")
      try ann.say(
        #"{"type":"registerForNotifications","id":1}"#,
        #"{"type":"subscribe","id":2,"topic":"app/news"}"#)
      try test.run { ann.heard(#""type":"ok","id":2"#) }
      let push = ["push", "--server", "127.0.0.1:\(port)"] + key
      let sent = try Program.run(
        push + [
          "--user", "ann", "--title", "Film night", "--body", "At eight?", "--category", "C",
          "--data", "level=7", "--data", "code=007", "--data", "ok=true", "--collapse-id", "c1",
          "--time-to-live", "60", "--sound", "bell",
        ], on: test)
      #expect(sent.ending == .exited(code: 0), "\(sent.errorOutput)")
      let words = "devices registered under this name get it, if there are any"
      #expect(sent.output == "accepted for ann: \(words)\n")
      try test.run { ann.heard(#""type":"notification""#) }
      let line = try #require(ann.line(#""type":"notification""#))
      for part in [
        #""title":"Film night""#, #""body":"At eight?""#, #""category":"C""#, #""level":7"#,
        #""code":"007""#, #""ok":true"#, #""collapseID":"c1""#, #""sound":"bell""#,
      ] {
        #expect(line.contains(part), "\(part) in \(line)")
      }
      let silent = try Program.run(
        push + ["--user", "ann", "--silent", "--data", "level=8"], on: test)
      #expect(silent.ending == .exited(code: 0))
      try test.run { ann.heard(#""content-available":1"#) }
      let published = try Program.run(
        push + ["--topic", "app/news", "--body", "We are back"], on: test)
      #expect(
        published.output == "published to app/news: its subscribers get it, if there are any\n",
        "\(published.errorOutput)")
      try test.run { ann.heard("We are back") }
      #expect(!server.hasEnded)
    }
  }

  @Test func `a silent push with the same collapse id takes an earlier one back`() throws {
    try TestLoop.run { test in
      let folder = try Self.folder()
      let key = ["--admin-key-file", folder.path(of: "admin.key")]
      let (server, port) = try Program.serve(key, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.greet(as: "ann")
      try ann.say(#"{"type":"registerForNotifications","id":1}"#)
      try test.run { ann.heard(#""type":"ok","id":1"#) }
      let push =
        ["push", "--server", "127.0.0.1:\(port)", "--user", "ann", "--collapse-id", "seat"] + key
      let wrong = try Program.run(push + ["--body", "At nine?"], on: test)
      #expect(wrong.ending == .exited(code: 0), "\(wrong.errorOutput)")
      try test.run { ann.heard("At nine?") }
      let taken = try Program.run(push + ["--silent"], on: test)
      #expect(taken.ending == .exited(code: 0), "\(taken.errorOutput)")
      try test.run { ann.heard(#""type":"notificationsRevoked""#) }
      #expect(!server.hasEnded)
    }
  }

  @Test func `with another key, or none at the server, nothing is sent`() throws {
    try TestLoop.run { test in
      let folder = try Self.folder()
      _ = try PrivateFile.make(folder.path(of: "other.key"), Array("another-key-0123456789".utf8))
      let (server, port) = try Program.serve(
        ["--admin-key-file", folder.path(of: "admin.key")], on: test)
      let (plain, plainPort) = try Program.serve(on: test)
      for (port, words) in [
        (port, "the key is not the administrator's"),
        (plainPort, "the server has no administrator key"),
      ] {
        let program = try Program.run(
          [
            "push", "--server", "127.0.0.1:\(port)", "--user", "ann", "--body", "Hi",
            "--admin-key-file", folder.path(of: "other.key"),
          ], on: test)
        #expect(program.ending == .exited(code: 69))
        #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
        #expect(!program.errorOutput.contains("another-key"))
      }
      #expect(!server.hasEnded && !plain.hasEnded)
    }
  }
}
