import DatabaseTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// Built servers with a journal in a real PostgreSQL server: one decides, and the others take people
/// in for it.
@Suite struct FrontServerTests {
  /// A server's own machine: its data directory.
  private struct Machine {
    private let folder: ScratchFolder
    private let database: String
    private let number: Int

    init(_ number: Int, _ database: String) throws {
      folder = try ScratchFolder()
      (self.number, self.database) = (number, database)
    }

    private var options: [String] {
      ["--journal", database, "--advertise", "127.0.0.\(number):0"]
    }

    private var environment: String { "XDG_DATA_HOME=\(folder.path)" }

    func serve(_ options: [String] = [], on test: TestLoop) throws -> (
      server: Program, port: UInt16
    ) {
      try Program.serve(self.options + options, by: ["env", environment], on: test)
    }

    /// Starts a server, and does not wait until it listens.
    func start(on test: TestLoop) throws -> Program {
      try Program(
        [environment, try Program.path, "serve", "--listen", "127.0.0.1:0"] + options, of: "env",
        on: test)
    }
  }

  /// Who may see and drain the servers.
  private struct Administrator {
    private let folder: ScratchFolder
    /// The option that names the key, to servers and to commands.
    let key: [String]

    init() throws {
      folder = try ScratchFolder()
      key = ["--admin-key-file", folder.path(of: "admin.key")]
      _ = try PrivateFile.make(folder.path(of: "admin.key"), Array(PushTests.key.utf8))
    }

    func ask(_ arguments: [String], at port: UInt16, on test: TestLoop) throws -> Program {
      try Program.run(arguments + ["--server", "127.0.0.1:\(port)"] + key, on: test)
    }

    /// Drains a server, as soon as it and another one are known.
    func drain(_ name: String, at port: UInt16, on test: TestLoop) throws {
      var answer = try ask(["drain", name], at: port, on: test)
      for _ in 0..<100 where answer.ending != .exited(code: 0) {
        answer = try ask(["drain", name], at: port, on: test)
      }
      #expect(answer.ending == .exited(code: 0), "\(answer.errorOutput)")
    }
  }

  /// So many people at a server that a drain goes on for seconds, one by one.
  private static func crowd(at port: UInt16, on test: TestLoop) throws -> [Caller] {
    let callers = try (0..<60).map { number in
      let caller = try Caller(port: port, on: test)
      try caller.greet(as: "p\(number)")
      return caller
    }
    try test.run { callers.allSatisfy { $0.heard("welcome") } }
    return callers
  }

  /// A peer at each server, in one group.
  private static func enter(
    _ names: [String], at servers: [(server: Program, port: UInt16)], on test: TestLoop
  ) throws -> [Caller] {
    try zip(names, servers).map { name, server in
      let caller = try Caller(port: server.port, on: test)
      try caller.enter("friday", as: name)
      try test.run { caller.heard(#""type":"ok","id":1"#) }
      return caller
    }
  }

  /// Three machines, and their database.
  private static func run(
    _ options: [String] = [], in database: String? = nil,
    _ body: (_ test: TestLoop, _ servers: [(server: Program, port: UInt16)]) throws -> Void
  ) throws {
    let database = try database ?? DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let migration = try Program.run(["journal", "migrate", "--journal", database], on: test)
      #expect(migration.ending == .exited(code: 0), "\(migration.errorOutput)")
      let machines = try (1...3).map { try Machine($0, database) }
      let servers = try machines.map { try $0.serve(options, on: test) }
      for (server, port) in servers { #expect(port != 0, "\(server.errorOutput)") }
      // Whoever comes in before there is a link waits for a few seconds only.
      let decider = servers[0].server
      try test.run {
        decider.errorOutput.split(separator: "\n").count { $0.contains("takes people in for") } == 2
      }
      do {
        try body(test, servers)
      } catch {
        for (server, _) in servers { Issue.record("\(server.errorOutput)") }
        throw error
      }
    }
  }

  private static func resumption(of user: String, by token: String) -> String {
    #"{"type":"hello","versions":[1],"user":"\#(user)","device":"\#(user)-1","name":"\#(user)","#
      + #""features":["sessions"],"resume":{"token":"\#(token)"}}"#
  }

  @Test func `people at three servers are in one group, and come back after a death`() throws {
    try Self.run { test, servers in
      let names = ["Ann", "Ben", "Cid"]
      let callers = try Self.enter(names, at: servers, on: test)
      try test.run { callers[0].heard("Cid-1") && callers[1].heard("Cid-1") }
      let tokens = try callers.map { caller in
        try #require(caller.value(of: "token", in: #""type":"welcome""#))
      }
      servers[0].server.kill(.kill)
      try test.run { callers.allSatisfy(\.hasEnded) }
      #expect(callers.map { $0.heard("shuttingDown") } == [false, true, true])
      #expect(callers[1].heard("the server that decides is not reached"))
      // Who is quick waits at a server in front until one of them has taken over.
      let heir = try Self.heir(of: servers, on: test)
      let other = servers[heir == 1 ? 2 : 1]
      for (name, token) in zip(names, tokens) {
        var caller = try Caller(port: other.port, on: test)
        for attempt in 1... {
          try caller.say(Self.resumption(of: name, by: token))
          try test.run { [caller] in caller.heard(#""type":"welcome""#) || caller.hasEnded }
          // Who has waited for some seconds is hung up on, and comes again.
          guard !caller.heard(#""type":"welcome""#), attempt < 20 else { break }
          caller = try Caller(port: other.port, on: test)
        }
        #expect(caller.heard(#""resumed":true"#), "\(caller.lines)")
      }
    }
  }

  /// Which server takes over.
  private static func heir(
    of servers: [(server: Program, port: UInt16)], on test: TestLoop
  ) throws -> Int {
    func heir() -> Int? {
      servers.indices.dropFirst().first {
        servers[$0].server.errorOutput.contains("taking it over")
      }
    }
    try test.run { heir() != nil }
    return try #require(heir())
  }

  /// The lines of a server's figures.
  private static func figures(of server: Program, on test: TestLoop) throws -> [String] {
    let port = try #require(server.port(of: "serving figures"))
    let text = try WebPeer(port: port, on: test).get("/metrics").text
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `a server in front asks again when the database withholds what it needs`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let migration = try Program.run(["journal", "migrate", "--journal", database], on: test)
      #expect(migration.ending == .exited(code: 0), "\(migration.errorOutput)")
      let machines = try (1...2).map { try Machine($0, database) }
      let (first, firstPort) = try machines[0].serve(on: test)
      #expect(firstPort != 0, "\(first.errorOutput)")
      // The servers' secrets, without which there is no link.
      try DatabaseServer.run("ALTER TABLE matinee.secret RENAME TO hidden", at: database)
      let second = try machines[1].start(on: test)
      try test.run {
        second.errorOutput.contains("the database does not answer") || second.hasEnded
      }
      #expect(!second.hasEnded, "\(second.errorOutput)")
      try DatabaseServer.run("ALTER TABLE matinee.hidden RENAME TO secret", at: database)
      #expect(try second.awaitListening(on: test) != 0, "\(second.errorOutput)")
      try test.run { second.errorOutput.contains("taking people in for") || second.hasEnded }
      #expect(!second.hasEnded, "\(second.errorOutput)")
      #expect(second.errorOutput.contains("the database answers again"), "\(second.errorOutput)")
      withExtendedLifetime(first) {}
    }
  }

  @Test func `browsers come in at a server in front, which says whether it is linked`() throws {
    try Self.run(["--http", "127.0.0.1:0", "--metrics", "0"]) { test, servers in
      let port = try #require(servers[1].server.port(of: "serving browsers"))
      let visitor = try WebPeer(port: port, on: test)
      try test.run(lookingEvery: .milliseconds(20)) {
        servers[1].server.errorOutput.contains("taking people in")
      }
      #expect(try visitor.get("/readyz").status == 200)
      #expect(try visitor.get("/friday").status == 200)
      let page = try WebPeer(port: port, on: test)
      #expect(try page.upgrade().status == 101)
      // A message over several lines, which is one of a WebSocket's.
      try page.say(
        "{\n" + #""type":"hello","user":"eve","device":"eve-1","features":["sessions"]"# + "\r\n}")
      try page.say(#"{"type":"joinGroup","id":1,"group":"friday"}"#)
      let ann = try Caller(port: servers[0].port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { page.heard("Ann-1") && ann.heard("eve-1") }
      let lines = try Self.figures(of: servers[1].server, on: test)
      for line in [
        "matinee_linked 1", "matinee_waiting_peers 0", "matinee_database_reached 1",
        #"matinee_peers{dialect="websocket"} 1"#,
        #"matinee_received_lines_total{dialect="websocket"} 2"#,
      ] {
        #expect(lines.contains(line), "\(line) in \(lines)")
      }
      let decided = try Self.figures(of: servers[0].server, on: test)
      #expect(decided.contains("matinee_linked_peers 1"))
      #expect(decided.contains(#"matinee_peers{dialect="link"} 2"#))
      servers[0].server.kill(.freeze)
      try test.run(lookingEvery: .milliseconds(20)) {
        servers.dropFirst().contains { $0.server.errorOutput.contains("taking it over") }
      }
      try test.run { page.hasEnded }
      servers[0].server.kill(.goOn)
      try test.run { servers[0].server.hasEnded }
      #expect(servers[0].server.ending == .exited(code: 75))
    }
  }

  @Test func `a server in front asks whether an address of the media still lets somebody in`()
    throws
  {
    let folder = try ScratchFolder(["Film.mp4": "0123456789"])
    let database = try DatabaseServer.shared().makeDatabase()
    let options = ["--http", "127.0.0.1:0", "--media", folder.path]
    try Self.run(options, in: database) { test, servers in
      let port = try #require(servers[1].server.port(of: "serving browsers"))
      let ann = try WebPeer(port: port, on: test)
      _ = try ann.upgrade()
      try ann.say(#"{"type":"hello","user":"ann","features":["sessions"]}"#)
      try ann.say(#"{"type":"joinGroup","id":1,"group":"friday"}"#)
      try ann.say(#"{"type":"listMedia","id":2}"#)
      try test.run { ann.heard(#""id":2"#) }
      let answer = try #require(ann.messages.last { $0.contains(#""id":2"#) })
      let start = try #require(answer.firstRange(of: #""address":""#)?.upperBound)
      let address = String(answer[start...].prefix { $0 != "\"" })
      let visitor = try WebPeer(port: port, on: test)
      let list = try visitor.get(address)
      #expect(list.status == 200 && list.text.contains("Film.mp4"), "\(list.head)")
      let forged = try visitor.get(
        String(address.dropLast()) + (address.hasSuffix("A") ? "B" : "A"))
      #expect(forged.status == 403)
      // Nobody takes over while the servers' pulse cannot be seen.
      try DatabaseServer.run("ALTER TABLE matinee.pulse RENAME TO hidden", at: database)
      servers[0].server.kill(.kill)
      try test.run { servers[1].server.errorOutput.contains("the link broke") }
      let waiting = try WebPeer(port: port, on: test)
      try waiting.ask(address, [], method: "GET")
      let refusal = try waiting.wholeAnswer()
      #expect(refusal.status == 503 && refusal["retry-after"] == "1", "\(refusal.head)")
    }
  }

  @Test func `a client of Syncplay's encrypts at a server in front, and nothing before it counts`()
    throws
  {
    let folder = try ScratchFolder()
    var own: TestCertificate?
    try TestLoop.run { test in own = try TestCertificate("own", in: folder, on: test) }
    let certificate = try #require(own)
    let options = ["--tls-certificate", certificate.certificate, "--tls-key", certificate.key]
    try Self.run(options + ["--syncplay", "127.0.0.1:0"]) { test, servers in
      let port = try #require(servers[1].server.syncplayPort)
      let script = folder.path(of: "client.py")
      try EncryptionTests.syncplayClient.write(toFile: script, atomically: true, encoding: .utf8)
      let client = try Program.run(
        [script, "\(port)", certificate.certificate], of: "python3", on: test)
      #expect(client.ending == .exited(code: 0), "\(client.errorOutput)")
      #expect(client.output.contains(#""username":"Ann","room""#))
      #expect(!client.output.contains("Mallory"), "what came before the handshake counts")
    }
  }

  @Test func `an administrator sees the servers, and empties them one after another`() throws {
    let administrator = try Administrator()
    try Self.run(administrator.key + ["--departure-time", "0.3"]) { test, servers in
      let callers = try Self.enter(["Ann", "Ben", "Cid"], at: servers, on: test)
      var port = servers[2].port
      func ask(_ arguments: String...) throws -> Program {
        try administrator.ask(arguments, at: port, on: test)
      }
      /// Asks until a server's row has these words.
      func see(_ row: String) throws {
        var table = ""
        for _ in 0..<100 {
          table = try ask("status").output
          let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
          if rows.contains(where: { $0.joined(separator: " ") == row }) { return }
        }
        Issue.record("no row “\(row)” in \(table)")
      }
      try see("127.0.0.1:0 0.1.0 1 decides")
      try see("127.0.0.2:0 0.1.0 1 takes people in")
      let wrong = try ask("drain", "127.0.0.9:0")
      #expect(wrong.ending == .exited(code: 69))
      #expect(wrong.errorOutput.contains("matinee status"), "\(wrong.errorOutput)")
      let drain = try ask("drain", "127.0.0.2:0")
      #expect(drain.ending == .exited(code: 0), "\(drain.errorOutput)")
      try test.run { servers[1].server.hasEnded && callers[1].hasEnded }
      #expect(servers[1].server.ending == .exited(code: 0))
      #expect(callers.map { $0.heard("shuttingDown") } == [false, true, false])
      #expect(try ask("drain", "127.0.0.1:0").ending == .exited(code: 0))
      try test.run { servers[0].server.hasEnded && callers[0].hasEnded }
      #expect(servers[0].server.ending == .exited(code: 0), "\(servers[0].server.errorOutput)")
      try test.run(lookingEvery: .milliseconds(20)) {
        servers[2].server.errorOutput.split(separator: "] listening").count == 3
      }
      #expect(servers[2].server.errorOutput.contains("nobody has the journal: taking it"))
      port = try servers[2].server.awaitListening(on: test)
      try see("127.0.0.3:0 0.1.0 0 decides")
      #expect(try ask("drain", "127.0.0.3:0").errorOutput.contains("no other server"))
    }
  }

  @Test func `a server that is drained lets no page in, and goes on for those that are there`()
    throws
  {
    let administrator = try Administrator()
    let options = ["--departure-time", "30", "--http", "127.0.0.1:0"]
    try Self.run(administrator.key + options) { test, servers in
      let port = try #require(servers[1].server.port(of: "serving browsers"))
      let page = try WebPeer(port: port, on: test)
      #expect(try page.upgrade().status == 101)
      try page.say(#"{"type":"hello","user":"ann","features":["sessions"]}"#)
      try test.run { page.heard("welcome") }
      let callers = try Self.crowd(at: servers[1].port, on: test)
      // The server itself is asked, and who asks is not sent back before the answer.
      try administrator.drain("127.0.0.2:0", at: servers[1].port, on: test)
      #expect(try WebPeer(port: port, on: test).get("/readyz").status == 503)
      #expect(try WebPeer(port: port, on: test).upgrade().status == 503)
      #expect(try WebPeer(port: port, on: test).get("/friday").status == 200)
      try test.run { page.hasEnded && servers[1].server.hasEnded }
      #expect(callers.allSatisfy { $0.heard("shuttingDown") })
      #expect(page.heard("shuttingDown"))
      #expect(servers[1].server.ending == .exited(code: 0))
    }
  }

  /// The first one decides; the second one could take over, if it were not drained.
  @Test(arguments: 0...1)
  func `a drained server that nobody follows is to be started again`(place: Int) throws {
    let administrator = try Administrator()
    try Self.run(administrator.key + ["--departure-time", "30"]) { test, servers in
      let (drained, port) = servers[place]
      let callers = try Self.crowd(at: port, on: test)
      try administrator.drain("127.0.0.\(place + 1):0", at: port, on: test)
      for (server, _) in servers where server !== drained { server.kill(.kill) }
      try test.run { drained.hasEnded }
      #expect(drained.ending == .exited(code: 75), "\(drained.errorOutput)")
      #expect(!drained.errorOutput.contains("taking it over"))
      withExtendedLifetime(callers) {}
    }
  }

  @Test func `links need an address that others reach, and a journal that servers share`() throws {
    let database = try DatabaseServer.shared().makeDatabase()
    try TestLoop.run { test in
      let cases = [
        (
          ["--advertise", "0.0.0.0:7879", "--journal", database], "the other servers reach this one"
        ),
        (["--advertise", "[::]:7879", "--journal", database], "the other servers reach this one"),
        (["--advertise", "nowhere", "--journal", database], "--advertise takes"),
        (["--advertise", "127.0.0.1:7879", "--journal", "memory"], "--advertise takes a journal"),
        (["--listen-links", "[::]:7879", "--journal", database], "takes --advertise, too"),
        (
          ["--advertise", "127.0.0.1:0", "--listen-links", "[::]:7879", "--journal", database],
          "--advertise takes the port"
        ),
        (
          ["--advertise", "127.0.0.1:7879", "--listen-links", "nowhere", "--journal", database],
          "--listen-links takes"
        ),
      ]
      for (options, complaint) in cases {
        let refused = try Program.run(["serve"] + options, on: test)
        #expect(refused.ending == .exited(code: 64), "\(options)")
        #expect(refused.errorOutput.contains(complaint), "\(refused.errorOutput)")
      }
    }
  }
}
