import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// An evening on a server with keys, from its first start on, by programs with pipes.
@Suite struct KeyedEveningTests {
  private static func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `people come in by links, and come back without them`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      #expect(
        ann.output.contains(
          "invite others with: matinee invite friday --server \(evening.address) --as Ann"))
      let link = try evening.link(of: "Ann")
      #expect(link.hasPrefix("matinee://\(evening.address)/friday#"))
      try ann.say("invite")
      try test.run { ann.output.contains(link) }
      // The link comes by standard input, where nobody sees it in the list of processes.
      let ben = try evening.join("Ben", ["-", "film.mp4"])
      try ben.say(link)
      try test.run { ann.output.contains("in group friday: Ann, Ben") }
      try test.run { ben.output.contains("joined; watching") }
      let commands = try Self.commandLines(of: ben.id)
      #expect(commands.contains("Ben") && !commands.contains("#"))
      try evening.restart()
      try test.run {
        [ann, ben].allSatisfy { $0.output.components(separatedBy: "connected\n").count > 2 }
      }
      for person in [ann, ben] { try person.say("quit") }
      try test.run { ann.hasEnded && ben.hasEnded }
      #expect(ann.ending == .exited(code: 0) && ben.ending == .exited(code: 0))
      let back = [try evening.joinAgain("Ann"), try evening.joinAgain("Ben")]
      try test.run { back.allSatisfy { $0.output.contains("in group friday: Ann, Ben") } }
      try evening.stop()
      try Self.checkSecrets(of: evening, ["Ann", "Ben"], link)
      try Self.checkNames(of: evening, on: test)
    }
  }

  @Test func `a server is the same by any name of this machine`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      try ann.say("quit")
      try test.run { ann.hasEnded }
      let back = try evening.join(
        "Ann", ["--server", "localhost:\(evening.port)", "--group", "friday"])
      try test.run { back.output.contains("in group friday: Ann") || back.hasEnded }
      #expect(back.ending == nil, "\(back.output)")
    }
  }

  /// Checks that the journal's overview lists who has claimed a name, and nothing of credentials.
  private static func checkNames(of evening: KeyedServer, on test: TestLoop) throws {
    let inspection = try Program.run(
      ["journal", "inspect", "--journal", evening.journal, "--all"], on: test)
    let names = try #require(inspection.output.split(separator: "claimed names\n").last)
    let rows = names.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("  ") }
    #expect(rows.compactMap { $0.split(separator: " ").first } == ["Ann", "Ben"])
    for person in ["Ann", "Ben"] {
      let credential = try String(
        contentsOfFile: evening.credentials(of: person)[0], encoding: .utf8)
      #expect(!inspection.output.contains(credential))
    }
  }

  private static func commandLines(of process: Int32) throws -> String {
    let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
    return String(decoding: try #require(bytes), as: UTF8.self)
  }

  /// Checks that credentials are for their owners only, and that nothing secret was logged.
  private static func checkSecrets(
    of evening: KeyedServer, _ people: [String], _ link: String
  ) throws {
    var secrets = [link, evening.foundingLink].compactMap { $0.split(separator: "#").last }
    for person in people {
      let files = try evening.credentials(of: person)
      try #require(files.count == 1)
      #expect(try mode(of: files[0]) == 0o600)
      secrets.append(Substring(try String(contentsOfFile: files[0], encoding: .utf8)))
    }
    for secret in secrets {
      #expect(secret.count == 26 && !evening.log.contains(secret))
    }
  }

  @Test func `a wrong key, another's name and a missing key are refused, with advice`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let link = try evening.link(of: "Ann")
      let wrong = link.prefix { $0 != "#" } + "#" + Self.key
      let cases: [(name: String, arguments: [String], words: String)] = [
        ("Cleo", [String(wrong)], "ask a member for the group's latest link"),
        ("Cleo", [evening.foundingLink, "--group", "friday"], "the key does not open this group"),
        ("Ann", [link], "the name is somebody else's here"),
        ("Dora", ["--server", evening.address, "--group", "friday"], "join with the group's link"),
      ]
      for (name, arguments, words) in cases {
        let guest = try evening.join(name, arguments, on: "elsewhere")
        try test.run { guest.hasEnded }
        #expect(guest.ending == .exited(code: 1), "\(name): \(guest.output)")
        #expect(guest.output.contains(words), "\(name): \(guest.output)")
        #expect(try evening.credentials(of: "elsewhere").isEmpty, "the server took none")
      }
      #expect(!ann.output.contains("Cleo") && !ann.output.contains("Dora"))
    }
  }

  @Test func `whom the founder removes is sent away, and old links are worth nothing`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(on: test)
      let ann = try evening.found(as: "Ann")
      let link = try evening.link(of: "Ann")
      let (ben, cleo) = (try evening.join("Ben", [link]), try evening.join("Cleo", [link]))
      try test.run { ann.output.contains("in group friday: Ann, Ben, Cleo") }
      try cleo.say("remove Ben")
      try test.run { cleo.output.contains("only the person who opened the group may do this") }
      try ann.say("remove Ben")
      try test.run { ben.hasEnded && ann.output.contains("Ben is removed for good") }
      #expect(ben.ending == .exited(code: 1))
      #expect(ben.output.contains("you were removed from the group for good; ask its founder"))
      try test.run { cleo.output.contains("the group has a new key") }
      try ann.say("rekey\ninvite")
      try test.run {
        ann.output.components(separatedBy: "the group has a new key").count == 3
          && ann.output.contains("/friday#")
      }
      let late = try evening.join("Dora", [link])
      try test.run { late.hasEnded }
      #expect(late.ending == .exited(code: 1))
      // Cleo was let in before, and needs no key.
      try cleo.say("quit")
      try test.run { cleo.hasEnded }
      let back = try evening.joinAgain("Cleo")
      try test.run { back.output.contains("in group friday: Ann, Cleo") }
    }
  }

  @Test func `a server without keys leaves no files behind, and has no link`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (server, port) = try Program.serve(on: test)
      var environment = ProcessInfo.processInfo.environment
      environment["XDG_STATE_HOME"] = folder.path(of: "state")
      let ann = try Program(
        [
          "join", "--as", "Ann", "--group", "friday", "--server", "127.0.0.1:\(port)", "--player",
          "simulated",
        ], environment: environment, on: test, takesInput: true)
      try test.run { ann.output.contains("in group friday: Ann") }
      try ann.say("invite")
      try test.run { ann.output.contains("the group has no key") }
      #expect(!ann.output.contains("invite others"))
      #expect(!FileManager.default.fileExists(atPath: folder.path(of: "state")))
      #expect(server.ending == nil)
    }
  }

  @Test func `a link that is typed is asked for`() throws {
    let join = "exec '\(try Program.path)' join --as Ann -"
    try TestLoop.run { test in
      // `script` (of bsdutils) makes a terminal, on which both outputs appear.
      let terminal = try Program(
        ["--quiet", "--return", "--flush", "--command", join, "/dev/null"], of: "script",
        on: test, takesInput: true)
      try test.run { terminal.output.contains("the group's link: ") || terminal.hasEnded }
      try terminal.say("matinee+plain://host/friday")
      try test.run { terminal.hasEnded }
      #expect(terminal.output.contains("the link has no key"), "\(terminal.output)")
    }
  }

  private static let key = String(repeating: "0", count: 26)
  private static let link = "matinee+plain://host:7878/friday#\(key)"
  private static let founding = "matinee+plain://host:7878/#\(key)"

  @Test(arguments: [
    (["matinee://host/friday#\(key).short"], "the link's fingerprint is not SHA-256"),
    (["matinee+plain://host/friday"], "the link has no key"),
    ([founding], "name the new one with --group"),
    ([link, "--group", "g"], "leave --group out"),
    ([link, "--server", "host:1"], "leave --server out"),
    ([link, "--token-file", "x"], "--token-file or a link"),
    (["film.mp4", "other.mp4", "--group", "g"], "one file or URL"),
    (["film.mp4"], "name the group with --group"),
  ])
  func `a mistake about a link is told`(arguments: [String], words: String) throws {
    try TestLoop.run { test in
      let join = try Program.run(["join", "--as", "Ann"] + arguments, on: test)
      #expect(join.ending == .exited(code: 64))
      #expect(join.errorOutput.contains(words), "\(join.errorOutput)")
      #expect(!join.errorOutput.contains(Self.key))
    }
  }

  @Test(arguments: [
    ("", "no link came"), ("matinee://host/friday#\(key).x\n", "fingerprint"),
    ("matinee://host/friday#\(key).x", "fingerprint"),
  ])
  func `a mistake about a link on standard input is told`(input: String, words: String) throws {
    try TestLoop.run { test in
      let join = try Program(["join", "--as", "Ann", "-"], on: test, takesInput: true)
      if !input.isEmpty { try join.input?.write(SharedBytes(input)) }
      join.input?.finishWriting()
      try test.run { join.hasEnded }
      #expect(join.ending == .exited(code: 64))
      #expect(join.errorOutput.contains(words), "\(join.errorOutput)")
      #expect(!join.errorOutput.contains(Self.key))
    }
  }
}
