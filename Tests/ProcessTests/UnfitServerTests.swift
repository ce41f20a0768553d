import DatabaseTesting
import EventLoops
import LoopTesting
import ProgramTesting
import Testing

/// Built servers that share a journal in a real PostgreSQL server, one of which has unfit options.
@Suite struct UnfitServerTests {
  private typealias Machine = StandbyMachine

  @Test func `a server that fails after it has taken the journal gives it back`() throws {
    let database = try Machine.migrated(.shared())
    let badKey = try Machine(
      database, ["--access", "tokens"], keys: ["--token-key-file": "token.key"])
    try badKey.write("short", to: "token.key")
    // No machine has this address (RFC 5737).
    let badAddress = try Machine(database, ["--http", "192.0.2.1:0", "--plaintext"])
    try TestLoop.run { test in
      for (machine, code) in [(badKey, 66), (badAddress, 69)] as [(Machine, Int64)] {
        let (refused, _) = try machine.serve(on: test)
        #expect(refused.ending == .exited(code: code), "\(refused.errorOutput)")
        let owners = "SELECT p.owner, n.owner FROM matinee.pulse p, matinee.node n"
        #expect(try DatabaseServer.run(owners, at: database) == "0|0")
      }
    }
  }

  @Test func `an address that is not this machine's ends a server before it stands by`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try ["127.0.0.1:0", "192.0.2.1:7879"].map {
      try Machine(database, ["--advertise", $0])
    }
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let (second, _) = try machines[1].serve(on: test)
      #expect(second.ending == .exited(code: 69), "\(second.errorOutput)")
      #expect(second.errorOutput.contains("--listen-links"), "\(second.errorOutput)")
      #expect(first.ending == nil)
    }
  }

  @Test func `the server that decides warns of others that advertise one address`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try [1, 2, 2].map { number in
      try Machine(database, ["--advertise", "127.0.0.\(number):0"])
    }
    try TestLoop.run { test in
      let servers = try machines.map { try $0.serve(on: test).server }
      let words = "several servers advertise one address: give each its own"
      try test.run { servers[0].errorOutput.contains(words) || servers[0].hasEnded }
      #expect(servers[0].errorOutput.contains("address=127.0.0.2:0"), "\(servers[0].errorOutput)")
    }
  }

  @Test func `the server that decides warns of others that would let people in otherwise`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try [(1, "open"), (2, "keys"), (3, "open")].map { number, access in
      try Machine(database, ["--advertise", "127.0.0.\(number):0", "--access", access])
    }
    try TestLoop.run { test in
      let servers = try machines.map { try $0.serve(on: test).server }
      let words = "would let people in otherwise: give all servers the same --access"
      try test.run {
        let log = servers[0].errorOutput
        return log.contains(words) && log.contains("server=127.0.0.3:0") || servers[0].hasEnded
      }
      let lines = servers[0].errorOutput.split(separator: "\n").filter { $0.contains(words) }
      #expect(lines.count == 1, "\(servers[0].errorOutput)")
      #expect(lines.first?.contains("server=127.0.0.2:0") == true, "\(lines)")
      servers[1].kill(.kill)
      try test.run { servers[0].errorOutput.contains("a link broke") || servers[0].hasEnded }
      let broken = servers[0].errorOutput.split(separator: "\n").last { $0.contains("link broke") }
      #expect(broken?.contains("server=127.0.0.2:0") == true, "\(servers[0].errorOutput)")
    }
  }

  @Test func `a server with another access does not take over, until the others have stopped`()
    throws
  {
    let database = try Machine.migrated(.shared())
    let machines = try [(1, "keys"), (2, "open"), (3, "keys")].map { number, access in
      let options = ["--advertise", "127.0.0.\(number):0", "--access", access]
      return try Machine(database, options + ["--http", "127.0.0.1:0"])
    }
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let (odd, _) = try machines[1].serve(on: test)
      #expect(odd.errorOutput.contains("mode=open [matinee] access"), "\(odd.errorOutput)")
      try test.run {
        odd.errorOutput.contains("lets people in otherwise") || odd.hasEnded
      }
      #expect(odd.errorOutput.contains("access=keys here=open"), "\(odd.errorOutput)")
      first.kill(.kill)
      try test.run { odd.errorOutput.contains("does not take it, because") || odd.hasEnded }
      let visitor = try WebPeer(port: try #require(odd.port(of: "serving browsers")), on: test)
      let answer = try visitor.get("/readyz")
      #expect(answer.status == 503 && answer.text.contains("not reached"), "\(answer.text)")
      let third = try machines[2].standBy(on: test)
      // It gives the journal back only once it serves.
      try test.run {
        let sinceThen = third.errorOutput.firstRange(of: "taking it over").map {
          third.errorOutput[$0.upperBound...]
        }
        return sinceThen?.contains("] listening") == true || third.hasEnded
      }
      #expect(!odd.errorOutput.contains("taking it"), "\(odd.errorOutput)")
      // An operator who means it stops all of them.
      for server in [odd, third] {
        server.kill(.terminate)
        try test.run { server.hasEnded }
      }
      let (again, port) = try machines[1].serve(on: test)
      #expect(port != 0, "\(again.errorOutput)")
      #expect(again.errorOutput.contains("nobody has the journal: taking it"))
    }
  }
}
