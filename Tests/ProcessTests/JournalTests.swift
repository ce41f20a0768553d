import Coordination
import EventLoops
import FolderTesting
import Foundation
import Journals
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// The journal tools, used on journals of real servers.
@Suite struct JournalTests {
  private func serve(_ path: String, _ more: [String] = [], on test: TestLoop) throws -> (
    server: Program, port: UInt16
  ) {
    try Program.serve(
      [
        "--journal", "sqlite:\(path)", "--snapshot-interval", "40", "--message-burst", "100000",
        "--messages-per-second", "100000",
      ] + more, on: test)
  }

  private func contents(_ path: String) throws -> JournalContents {
    try JournalFile(
      path, retention: .seconds(3600), limits: Limits(), at: Instant(microseconds: 0)
    ).contents
  }

  /// The outputs with which a server resumes from a journal.
  private func recovered(_ contents: JournalContents) throws -> [Output] {
    var recovery = Recovery()
    recovery.take(contents.endings)
    for stream in contents.streams { try recovery.take(stream) }
    var coordinator = Coordinator(limits: Limits(), server: "")
    return coordinator.handle(
      .recovered(recovery), at: contents.latest ?? Instant(microseconds: 0))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `import of an export gives an equal journal, after any load and any end`() throws {
    for seed in [UInt64.random(in: 0...999_999), 1, 2] {
      print("a journal under load, seed \(seed)")
      try TestLoop.run { test in
        let files = try ScratchFolder()
        let path = files.path(of: "journal.sqlite")
        // Without retention, each snapshot deletes the first events.
        let retention = seed % 2 == 0 ? ["--journal-retention", "0"] : []
        let (server, port) = try serve(path, retention, on: test)
        var load = try RandomLoad(seed: seed, port: port, on: test)
        try load.run(200, on: test)
        try load.beginAnew(on: test)
        try load.run(200, on: test)

        // The journal can be inspected while the server writes.
        let inspection = try Program.run(["journal", "inspect"] + on(path), on: test)
        #expect(inspection.output.contains("a server writes to it, process \(server.id)"))
        let early = try Program.run(["journal", "verify"] + on(path), on: test)
        #expect(early.ending == .exited(code: 0), "seed \(seed): \(early.output)")
        server.kill(seed % 3 == 0 ? .terminate : .kill)
        try test.run { server.hasEnded }

        let (first, second) = (files.path(of: "1.jsonl"), files.path(of: "2.jsonl"))
        let copy = files.path(of: "copy.sqlite")
        try expectSuccess(["journal", "export", "--output", first] + on(path), on: test)
        try expectSuccess(["journal", "import", first] + on(copy), on: test)
        try expectSuccess(["journal", "export", "--output", second] + on(copy), on: test)
        #expect(try text(first) == text(second), "seed \(seed)")
        try expectSuccess(["journal", "verify"] + on(copy), on: test)
        let (was, became) = (try contents(path), try contents(copy))
        #expect(was.notices == [])
        #expect(was == became, "seed \(seed)")
        #expect(try recovered(was) == recovered(became), "seed \(seed)")
        #expect(was.streams.count >= 4)
        #expect(was.endings.count == 1)
        // The load must contain more than joins and leaves.
        let longest = was.streams.map { ($0.snapshot?.seq ?? 0) + $0.events.count }.max() ?? 0
        #expect(longest > 15, "seed \(seed)")
      }
    }
  }

  private func on(_ path: String) -> [String] { ["--journal", "sqlite:\(path)"] }

  private func expectSuccess(_ arguments: [String], on test: TestLoop) throws {
    let program = try Program.run(arguments, on: test)
    #expect(program.ending == .exited(code: 0), "\(arguments): \(program.errorOutput)")
  }

  @Test func `a server goes on from an import, and people resume`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let (path, copy) = (files.path(of: "journal.sqlite"), files.path(of: "copy.sqlite"))
      let (server, port) = try serve(path, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.kill)
      try test.run { server.hasEnded }
      let welcome = ann.lines.first { $0.contains(#""type":"welcome""#) } ?? ""
      let token = welcome.split(separator: #""token":""#).last?.prefix { $0 != "\"" } ?? ""
      let export = try Program.run(["journal", "export"] + on(path), on: test)
      #expect(export.output.contains(token))
      let without = try Program.run(
        ["journal", "export", "--without-secrets"] + on(path), on: test)
      #expect(!without.output.contains(token))
      #expect(without.output.contains("friday"))
      let file = files.path(of: "export.jsonl")
      try export.output.write(toFile: file, atomically: false, encoding: .utf8)
      try expectSuccess(["journal", "import", file] + on(copy), on: test)
      let (second, otherPort) = try serve(copy, on: test)
      let again = try Caller(port: otherPort, on: test)
      try again.say(
        #"{"type":"hello","versions":[1],"user":"Ann","device":"Ann-1","name":"Ann","features":["sessions"],"resume":{"token":"\#(token)"}}"#
      )
      try test.run { again.heard(#""type":"welcome""#) }
      try again.say(#"{"type":"status","id":2}"#)
      try test.run { again.heard(#""id":2"#) }
      #expect(again.heard(#""group":"friday""#))
      #expect(second.ending == nil)
    }
  }

  @Test func `from an import without secrets a server goes on, and finds nobody there`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let (path, copy) = (files.path(of: "journal.sqlite"), files.path(of: "copy.sqlite"))
      let (server, port) = try serve(path, on: test)
      let load = try RandomLoad(seed: 1, port: port, on: test)
      server.kill(.kill)
      try test.run { server.hasEnded }
      let file = files.path(of: "export.jsonl")
      try expectSuccess(
        ["journal", "export", "--without-secrets", "--output", file] + on(path), on: test)
      try expectSuccess(["journal", "import", file] + on(copy), on: test)
      let (second, otherPort) = try serve(copy, on: test)
      let ann = try Caller(port: otherPort, on: test)
      try ann.enter("friday", as: "ann")
      try test.run { ann.heard(#""id":1,"#) }
      second.kill(.terminate)
      try test.run { second.hasEnded }
      let story = try Program.run(["replay", String(load.session)] + on(copy), on: test)
      #expect(story.output.contains("it ended: everyone has left"), "\(story.output)")
      try expectSuccess(["journal", "verify"] + on(copy), on: test)
    }
  }

  @Test func `damage ends verify with 1, and is named`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let path = files.path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      var load = try RandomLoad(seed: 3, port: port, on: test)
      try load.run(300, on: test)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      try expectSuccess(["journal", "verify"] + on(path), on: test)
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      let size = Int(try file.seekToEnd())
      try file.seek(toOffset: UInt64(size / 2))
      try file.write(contentsOf: Data(repeating: 0x5A, count: size / 4))
      try file.close()
      let verification = try Program.run(["journal", "verify"] + on(path), on: test)
      #expect(verification.ending == .exited(code: 1))
      #expect(verification.output.contains("damaged"))
      #expect(verification.output.contains("findings:"))
    }
  }

  /// Command lines with a mistake each, the exit code, and the message.
  static let mistakes: [(arguments: [String], code: Int32, words: String)] = [
    (
      ["journal", "inspect", "--journal", "memory"], 64,
      "--journal takes sqlite:PATH or postgresql://USER@HOST/DATABASE here"
    ),
    (["journal", "inspect", "--journal", "sqlite:nowhere.sqlite"], 66, "there is no such file"),
    (["journal", "verify", "--journal", "sqlite:nowhere.sqlite"], 66, "there is no such file"),
    (["journal", "verify", "--journal", "sqlite:/proc/self/status/x"], 66, "not a directory"),
    (["journal", "inspect", "--journal", "sqlite:/proc/self/status"], 65, "cannot be read"),
    (["journal", "export", "--journal", "sqlite:nowhere.sqlite"], 66, "there is no such file"),
    (["journal", "import", "nowhere.jsonl"], 64, "--journal"),
    (
      ["journal", "import", "nowhere.jsonl", "--journal", "sqlite:x.sqlite"], 66,
      "nowhere.jsonl: there is no such file"
    ),
    (["replay", "s-1", "--journal", "sqlite:nowhere.sqlite"], 66, "there is no such file"),
    (["replay", "--at", "3"], 64, "name the session"),
    (["replay", "s-1", "--at", "0"], 64, "from 1"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with what would be right`(
    arguments: [String], code: Int32, words: String
  ) throws {
    try TestLoop.run { test in
      let program = try Program.run(arguments, on: test)
      #expect(program.ending == .exited(code: Int64(code)))
      #expect(program.errorOutput.contains(words), "\(program.errorOutput)")
    }
  }

  @Test func `what would destroy something is refused`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let path = files.path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      let file = files.path(of: "export.jsonl")
      try expectSuccess(["journal", "export", "--output", file] + on(path), on: test)
      #expect(
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
      let over = try Program.run(["journal", "export", "--output", file] + on(path), on: test)
      #expect(over.ending == .exited(code: 73))
      #expect(over.errorOutput.contains("exists already"))
      let into = try Program.run(["journal", "import", file] + on(path), on: test)
      #expect(into.ending == .exited(code: 73))
      #expect(into.errorOutput.contains("is not empty"))
      var lines = try text(file).split(separator: "\n").map(String.init)
      lines[2] = "{"
      let broken = files.path(of: "broken.jsonl")
      try lines.joined(separator: "\n").write(toFile: broken, atomically: false, encoding: .utf8)
      let copy = files.path(of: "copy.sqlite")
      let bad = try Program.run(["journal", "import", broken] + on(copy), on: test)
      #expect(bad.ending == .exited(code: 65))
      #expect(bad.errorOutput.contains("broken.jsonl, line 3: "))
      #expect(bad.errorOutput.contains("nothing was imported"))
      #expect(!FileManager.default.fileExists(atPath: copy))
      try expectSuccess(["journal", "import", file] + on(copy), on: test)
      #expect(server.ending == nil)
    }
  }

  @Test func `an export that is larger than a file may be says so, and leaves nothing`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let path = files.path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      _ = try RandomLoad(seed: 7, port: port, on: test)
      let file = files.path(of: "export.jsonl")
      let export = try Program.run(
        [
          "-c", "ulimit -f 1 && exec \"$0\" \"$@\"", try Program.path, "journal", "export",
          "--output", file,
        ] + on(path), of: "bash", on: test)
      #expect(export.ending == .exited(code: 74), "\(export.errorOutput)")
      #expect(export.errorOutput.contains("cannot be written"), "\(export.errorOutput)")
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(server.ending == nil)
    }
  }

  @Test func `replay tells who did what, and shows the state at any event`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let path = files.path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      var load = try RandomLoad(seed: 5, port: port, on: test)
      let list = try Program.run(["replay"] + on(path), on: test)
      #expect(list.lines.count == 2)
      #expect(list.output.contains("\(load.session)  friday  “Film night”"))
      let story = try Program.run(["replay", String(load.session.prefix(6))] + on(path), on: test)
      #expect(story.ending == .exited(code: 0))
      #expect(story.output.contains("   1    0:00.0  ann started “Film night” in group friday"))
      #expect(story.output.contains("ann joined as a host"))
      #expect(!story.output.contains("\u{1B}"))
      try load.run(100, on: test)
      let session = String(load.session)
      let events = try Program.run(["replay", session, "--json"] + on(path), on: test).lines
      #expect(events.count > 20)
      let state = try Program.run(["replay", session, "--at", "4"] + on(path), on: test)
      #expect(state.output.contains("after event 4, "))
      #expect(state.output.contains("participants"))
      let json = try Program.run(["replay", session, "--at", "4", "--json"] + on(path), on: test)
      #expect(json.output.hasPrefix(#"{"at":"#) && json.output.contains(#""seq":4,"#))
      let beyond = try Program.run(["replay", session, "--at", "99999"] + on(path), on: test)
      #expect(beyond.ending == .exited(code: 66))
      #expect(beyond.errorOutput.contains("are known after events 1 to"))
      let nobody = try Program.run(["replay", "nobody"] + on(path), on: test)
      #expect(nobody.ending == .exited(code: 66))
      #expect(server.ending == nil)
    }
  }
}
