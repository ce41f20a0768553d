import DatabaseTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The built program with a journal in a real PostgreSQL server.
@Suite struct DatabaseJournalTests {
  private func run(_ arguments: [String], on test: TestLoop) throws -> Program {
    try Program.run(arguments, on: test)
  }

  /// The user's data directory, in which the server's secrets lie, is the test's own.
  private func serve(
    _ database: String, in folder: ScratchFolder, on test: TestLoop
  ) throws -> (server: Program, port: UInt16) {
    try Program.serve(
      ["--journal", database], by: ["env", "XDG_DATA_HOME=\(folder.path)"], on: test)
  }

  @Test func `tables are made only when one asks for it, and only once`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      for command in [["serve", "--listen", "127.0.0.1:0"], ["journal", "inspect"]] {
        let refused = try run(command + ["--journal", database], on: test)
        #expect(refused.errorOutput.contains("run matinee journal migrate"))
        #expect(refused.ending == .exited(code: command.count == 3 ? 73 : 65))
      }
      let migrate = ["journal", "migrate", "--journal", database]
      #expect(try run(migrate, on: test).output.contains("made the tables of version 3"))
      #expect(try run(migrate, on: test).output.contains("up to date at version 3"))
      try DatabaseServer.run("UPDATE matinee.version SET number = 4", at: database)
      let newer = try run(migrate, on: test)
      #expect(newer.ending == .exited(code: 65))
      #expect(newer.errorOutput.contains("a newer Matinee wrote the journal"))
    }
  }

  @Test func `tables that a restore has not filled yet are told of`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      _ = try run(["journal", "migrate", "--journal", database], on: test)
      func tell(_ code: Int64, _ commands: [[String]]) throws {
        for command in commands {
          let refused = try run(command + ["--journal", database], on: test)
          #expect(refused.ending == .exited(code: code), "\(command): \(refused.errorOutput)")
          #expect(
            refused.errorOutput.contains("is not whole; is a restore under way?"),
            "\(command): \(refused.errorOutput)")
        }
      }
      let readers = [
        ["replay"], ["campaigns", "results"],
        ["journal", "inspect"], ["journal", "verify"],
        ["journal", "export", "--output", folder.path(of: "export.jsonl")],
      ]
      let server = ["serve", "--listen", "127.0.0.1:0"]
      try DatabaseServer.run("TRUNCATE matinee.node", at: database)
      try tell(73, [server])
      try DatabaseServer.run("DROP TABLE matinee.stream", at: database)
      try tell(65, readers)
      try DatabaseServer.run("TRUNCATE matinee.version", at: database)
      try tell(73, [server, server + ["--standby"]])
      try tell(65, readers + [["journal", "migrate"]])
    }
  }

  @Test func `the tables of an older version are brought up to date when one asks for it`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let migrate = ["journal", "migrate", "--journal", database]
      _ = try run(migrate, on: test)
      // What the second and the third version added.
      try DatabaseServer.run(
        """
        ALTER TABLE matinee.pulse DROP COLUMN link, DROP COLUMN access;
        UPDATE matinee.version SET number = 1
        """, at: database)
      let refused = try run(
        ["serve", "--listen", "127.0.0.1:0", "--journal", database], on: test)
      #expect(refused.errorOutput.contains("an older Matinee made the journal"))
      let migrated = try run(migrate, on: test)
      #expect(
        migrated.ending == .exited(code: 0) && migrated.output.contains("from version 1 to 3"))
      let (server, port) = try serve(database, in: folder, on: test)
      #expect(port != 0, "\(server.errorOutput)")
    }
  }

  @Test func `a journal moves from a file to a database and back, and people resume`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (first, port) = try Program.serve(["--journal", folder.journal], on: test)
      var load = try RandomLoad(seed: 5, port: port, on: test)
      try load.run(100, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("sunday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      let token = try #require(ann.value(of: "token", in: #""type":"welcome""#))
      first.kill(.kill)
      try test.run { first.hasEnded }

      let (moved, back) = (folder.path(of: "moved.jsonl"), folder.path(of: "back.jsonl"))
      let copy = "sqlite:" + folder.path(of: "copy.sqlite")
      for arguments in [
        ["migrate", "--journal", database],
        ["export", "--output", moved, "--journal", folder.journal],
        ["import", moved, "--journal", database], ["verify", "--journal", database],
        ["export", "--output", back, "--journal", database],
        ["import", back, "--journal", copy], ["verify", "--journal", copy],
      ] {
        let program = try run(["journal"] + arguments, on: test)
        #expect(program.ending == .exited(code: 0), "\(arguments): \(program.errorOutput)")
      }
      #expect(
        try String(contentsOfFile: moved, encoding: .utf8)
          == String(contentsOfFile: back, encoding: .utf8))
      let again = try run(["journal", "import", moved, "--journal", database], on: test)
      #expect(again.ending == .exited(code: 73))
      #expect(again.errorOutput.contains("is not empty"))

      let (second, otherPort) = try serve(database, in: folder, on: test)
      let resumed = try Caller(port: otherPort, on: test)
      try resumed.say(
        #"{"type":"hello","versions":[1],"user":"Ann","device":"Ann-1","name":"Ann","features":["sessions"],"resume":{"token":"\#(token)"}}"#
      )
      try test.run { resumed.heard(#""type":"welcome""#) }
      try resumed.say(#"{"type":"status","id":2}"#)
      try test.run { resumed.heard(#""id":2"#) }
      #expect(resumed.heard(#""group":"sunday""#))
      let inspection = try run(["journal", "inspect", "--journal", database], on: test)
      #expect(inspection.output.contains("a server writes to it"))
      let other = try run(
        ["serve", "--listen", "127.0.0.1:0", "--journal", database], on: test)
      #expect(
        other.errorOutput.contains("stop it first (a server can wait for it with serve --standby)"))
      #expect(second.ending == nil)
    }
  }

  @Test func `a server whose database hangs tells people that it stops, and ends`() throws {
    let keeper = try DatabaseServer()
    let database = try keeper.makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      _ = try run(["journal", "migrate", "--journal", database], on: test)
      let (server, port) = try serve(database, in: folder, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok","id":1"#) }
      try keeper.command(.freeze)
      server.kill(.terminate)
      try test.run { ann.heard("shuttingDown") && server.hasEnded }
      #expect(server.ending == .exited(code: 0), "\(server.errorOutput)")
      try keeper.command(.thaw)
    }
  }

  @Test func `a server whose database has lost changes ends, and the next one starts`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      _ = try run(["journal", "migrate", "--journal", database], on: test)
      let (server, port) = try serve(database, in: folder, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok","id":1"#) }
      try DatabaseServer.run(
        """
        DELETE FROM matinee.event e USING matinee.stream s
          WHERE e.stream = s.id AND e.seq = s.last AND s.kind = 'group';
        UPDATE matinee.stream SET last = last - 1 WHERE kind = 'group'
        """, at: database)
      let ben = try Caller(port: port, on: test)
      try ben.enter("friday", as: "Ben")
      try test.run { ann.heard("shuttingDown") && server.hasEnded }
      #expect(server.ending == .exited(code: 75))
      #expect(server.errorOutput.contains("lacks changes that this server has made: stopping"))
      let (next, nextPort) = try serve(database, in: folder, on: test)
      #expect(nextPort != 0, "\(next.errorOutput)")
    }
  }

  @Test func `replay shows a session from a database`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      _ = try run(["journal", "migrate", "--journal", database], on: test)
      let (server, port) = try serve(database, in: folder, on: test)
      var load = try RandomLoad(seed: 1, port: port, on: test)
      try load.run(60, on: test)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      let list = try run(["replay", "--journal", database], on: test)
      #expect(list.ending == .exited(code: 0), "\(list.errorOutput)")
      #expect(list.output.contains("friday"))
    }
  }
}
