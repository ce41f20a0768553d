import EventLoops
import FolderTesting
import KeyTesting
import LoopTesting
import ProgramTesting
import Testing

/// `matinee admin` as the server's owner uses it.
@Suite struct AdminTests {
  @Test func `the administrator sees everybody, and nobody else does`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let ben = try evening.join("Ben", [try evening.link(of: "Ann"), "film.mp4"])
      try test.run { ann.output.contains("joined; watching") && ben.output.contains("joined;") }
      let groups = try evening.admin(["groups"])
      #expect(groups.ending == .exited(code: 0), "\(groups.errorOutput)")
      #expect(groups.lines.first == "GROUP   FOUNDER  PEOPLE  CONNECTED  SESSION")
      #expect(groups.lines.last == "friday  Ann      2       2          film.mp4")
      let sessions = try evening.admin(["sessions"])
      #expect(sessions.output.contains("friday  film.mp4  Ben         2"))
      let people = try evening.admin(["people"])
      #expect(people.output.contains("Ann   Ann   1        friday  connected"))
      try ben.say("quit")
      try test.run { ben.hasEnded }
      var later = try evening.admin(["people"])
      let away = "-     Ben   -        -       away"
      // A busy server that heard no goodbye keeps him as lost for half a minute.
      for _ in 0..<60 where !later.output.contains(away) {
        try test.run(for: .seconds(1))
        later = try evening.admin(["people"])
      }
      #expect(later.output.contains(away), "\(later.output)")
      let limits = try evening.admin(["limits"])
      #expect(limits.lines.first == "LIMIT   USED  MOST")
      #expect(limits.output.contains("names   2     100000"), "\(limits.output)")
      let status = try Program.run(["status", "--server", evening.address], on: test)
      #expect(status.ending == .exited(code: 69))
      let key = ["--admin-key-file", evening.folder.path(of: "admin.key")]
      let whole = try Program.run(["status", "--server", evening.address] + key, on: test)
      #expect(whole.ending == .exited(code: 0), "\(whole.errorOutput)")
      #expect(whole.output.contains("friday") && whole.output.contains("Ann"))
      let both = try Program.run(["status", "--token-file", "x"] + key, on: test)
      #expect(both.ending == .exited(code: 64))
    }
  }

  @Test
  func `who guesses through a proxy on the server's machine does not lock out its administrator`()
    throws
  {
    try TestLoop.run { test in
      let evening = try KeyedServer(["--http", "127.0.0.1:0"], on: test)
      try test.run { evening.server.port(of: "serving browsers") != nil }
      let port = try #require(evening.server.port(of: "serving browsers"))
      for number in 1...6 {
        let eve = try WebPeer(port: port, on: test)
        #expect(try eve.upgrade().status == 101)
        try eve.say(#"{"type":"hello","user":"eve","credential":"short"}"#)
        try test.run { eve.heard(number <= 5 ? "credentialRefused" : "tooManyGuesses") }
      }
      let limits = try evening.admin(["limits"])
      #expect(limits.ending == .exited(code: 0), "\(limits.errorOutput)")
    }
  }

  @Test func `the administrator removes, frees, changes the key and closes`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let link = try evening.link(of: "Ann")
      let ben = try evening.join("Ben", [link])
      let cleo = try evening.join("Cleo", [link])
      try test.run { ann.output.contains("in group friday: Ann, Ben, Cleo") }
      let done: [([String], String)] = [
        (["remove", "Ben", "friday"], "removed Ben from friday\n"),
        (["rekey", "friday"], "friday has a new key\n"), (["free", "Cleo"], "Cleo is free\n"),
      ]
      for (arguments, words) in done {
        let admin = try evening.admin(arguments)
        #expect(admin.ending == .exited(code: 0), "\(admin.errorOutput)")
        #expect(admin.output == words)
      }
      try test.run { ben.hasEnded && cleo.hasEnded }
      #expect(ben.ending == .exited(code: 1) && cleo.ending == .exited(code: 1))
      // The name belongs to whoever comes next.
      let next = try evening.join("Cleo", [try evening.link(of: "Ann")], on: "elsewhere")
      try test.run { next.output.contains("in group friday: Ann, Cleo") }
      #expect(try evening.admin(["close", "friday"]).output == "closed friday\n")
      try test.run { ann.output.contains("the group is over") }
      let again = try evening.admin(["close", "friday"])
      #expect(again.ending == .exited(code: 69))
      #expect(again.errorOutput.contains("there is no such group"))
    }
  }

  @Test func `who mistypes a name is told that the server knows nobody of that name`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      for arguments in [["pair", "Nan"], ["remove", "Nan", "friday"], ["free", "Nan"]] {
        let admin = try evening.admin(arguments)
        #expect(admin.ending == .exited(code: 0), "\(admin.errorOutput)")
        #expect(admin.errorOutput.hasPrefix("the server knows nobody called Nan; "))
      }
      #expect(try evening.admin(["pair", "Ann"]).errorOutput.isEmpty)
      #expect(!ann.hasEnded)
    }
  }

  @Test func `whoever has the key pushes to a server with keys, too`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let push = try Program.run(
        [
          "push", "--user", "Ann", "--body", "Tea is ready", "--server", evening.address,
          "--admin-key-file", evening.folder.path(of: "admin.key"),
        ], on: test)
      #expect(push.ending == .exited(code: 0), "\(push.errorOutput)")
      try test.run { ann.output.contains("Tea is ready") }
    }
  }

  @Test func `why a person sees no campaign is told to whoever has the key, and to them`() throws {
    try TestLoop.run { test in
      let campaigns = try ScratchFolder([
        "hello.yaml": "triggers: {event: Shop Opened}\nmessage: {message: Hi}"
      ])
      let evening = try KeyedServer(["--campaigns", campaigns.path], on: test)
      let ann = try evening.found(as: "Ann")
      let key = ["--admin-key-file", evening.folder.path(of: "admin.key")]
      func explain(_ user: String, _ more: [String], on machine: String) throws -> Program {
        try evening.run(
          ["campaigns", "explain", user, "--server", evening.address] + more, on: machine)
      }
      // Her credential is stored on her own machine.
      for (more, machine) in [(key, "elsewhere"), ([], "Ann")] as [([String], String)] {
        let why = try explain("Ann", more, on: machine)
        #expect(why.ending == .exited(code: 0), "\(why.errorOutput)")
        #expect(why.lines.first == "CAMPAIGN  NOW           LAST EVALUATION")
        #expect(why.lines.last == "hello     may be shown  none remembered")
      }
      let refused: [(user: String, more: [String], words: String)] = [
        (
          "Ann", [],
          "the server wants to know who you are; give --token-file with a token, or "
            + "--admin-key-file where the command takes it"
        ),
        ("Zoe", key, "the server knows no such person"),
      ]
      for (user, more, words) in refused {
        let why = try explain(user, more, on: "elsewhere")
        #expect(why.ending == .exited(code: 69) && why.output.isEmpty)
        #expect(why.errorOutput.contains(words), "\(why.errorOutput)")
      }
      let both = try explain("Ann", key + ["--token-file", "x"], on: "elsewhere")
      #expect(both.ending == .exited(code: 64))
      #expect(both.errorOutput.contains("give --admin-key-file or --token-file, not both"))
      #expect(!ann.hasEnded)
    }
  }

  @Test func `a person who lost everything comes in with the administrator's code`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      try ann.say("quit")
      try test.run { ann.hasEnded }
      let made = try evening.admin(["pair", "Ann"])
      let code = try #require(made.output.firstMatch(of: /The code is ([0-9a-z]{8})/)).1
      let guest = try evening.run(
        ["pair", String(code), "--as", "Ann", "--server", evening.address], on: "new")
      #expect(guest.ending == .exited(code: 0), "\(guest.errorOutput)")
      let back = try evening.joinAgain("Ann", on: "new")
      try test.run { back.output.contains("in group friday: Ann") }
    }
  }

  @Test func `a token with admin does the same, and another key or none does nothing`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let key = folder.path(of: "token.key")
      _ = try PrivateFile.make(key, Array("0123456789abcdef0123456789abcdef".utf8))
      let (server, port) = try Program.serve(
        ["--access", "tokens", "--token-key-file", key], on: test)
      let at = ["--server", "127.0.0.1:\(port)"]
      for (more, code) in [(["--admin"], 0), ([], 69)] as [([String], Int64)] {
        let token = try Program.run(
          ["token", "--key-file", key, "--user", "ops", "--group", "x"] + more, on: test)
        let file = folder.path(of: "token-\(code)")
        _ = try PrivateFile.make(file, Array(token.output.utf8))
        let groups = try Program.run(["admin", "groups", "--token-file", file] + at, on: test)
        #expect(groups.ending == .exited(code: code), "\(groups.errorOutput)")
        let push = try Program.run(
          ["push", "--user", "ann", "--body", "Hi", "--token-file", file] + at, on: test)
        #expect(push.ending == .exited(code: code), "\(push.errorOutput)")
        let pair = try Program.run(["admin", "pair", "ann", "--token-file", file] + at, on: test)
        #expect(pair.ending == .exited(code: 69))
        if code == 0 {
          #expect(
            pair.errorOutput.contains("use a server with access by keys"), "\(pair.errorOutput)")
        }
        // She is known by what she was sent.
        let why = try Program.run(
          ["campaigns", "explain", "ann", "--token-file", file] + at, on: test)
        #expect(why.ending == .exited(code: code), "\(why.errorOutput)")
      }
      let other = folder.path(of: "other.key")
      _ = try PrivateFile.make(other, Array(PushTests.key.utf8))
      let none = try Program.run(["admin", "groups", "--admin-key-file", other] + at, on: test)
      #expect(none.ending == .exited(code: 69))
      #expect(!none.errorOutput.contains(PushTests.key) && !server.hasEnded)
    }
  }

  /// Nobody has the address (RFC 5737), so a question there would wait for an answer.
  @Test(arguments: [
    ["admin", "groups"], ["drain", "10.0.0.1:7879"], ["status"],
    ["push", "--user", "ann", "--body", "Hi"],
    ["push", "--user", "ann", "--body", "Hi", "--token-file", "FOLDER/token"],
    ["campaigns", "explain", "ann"],
  ])
  func `the key is not shown where somebody on the way could read it`(command: [String]) throws {
    try TestLoop.run { test in
      let folder = try PushTests.folder()
      // The claims {"sub":"ann"}, between parts that only a server reads.
      let token = "e30.eyJzdWIiOiJhbm4ifQ.aHVzaA"
      _ = try PrivateFile.make(folder.path(of: "token"), Array(token.utf8))
      let program = try Program.run(
        command.map { $0.replacing("FOLDER", with: folder.path) } + [
          "--admin-key-file", folder.path(of: "admin.key"), "--server", "192.0.2.1:7878",
          "--plaintext",
        ], on: test)
      #expect(program.ending == .exited(code: 69))
      let words = "the administrator's key is not shown over a connection without encryption"
      #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
    }
  }

  @Test(arguments: [
    ["groups"], ["groups", "--admin-key-file", "a", "--token-file", "b"],
    ["close", "--admin-key-file", "a"], ["close", "", "--admin-key-file", "a"],
    ["remove", "Ben", "--admin-key-file", "a"],
  ])
  func `a mistake ends with the code of wrong usage`(arguments: [String]) throws {
    try TestLoop.run { test in
      let admin = try Program.run(["admin"] + arguments, on: test)
      #expect(admin.ending == .exited(code: 64), "\(admin.errorOutput)")
    }
  }
}
