import DatabaseTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// Built servers of which one serves and another one stands by, with a journal in a real PostgreSQL
/// server.
@Suite struct StandbyServerTests {
  private typealias Machine = StandbyMachine

  private static func resumption(of user: String, by token: String) -> String {
    #"{"type":"hello","versions":[1],"user":"\#(user)","device":"\#(user)-1","name":"\#(user)","#
      + #""features":["sessions"],"resume":{"token":"\#(token)"}}"#
  }

  @Test func `from a server that stops, the other one takes over with the same secrets`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try (0..<2).map { _ in try Machine(database, ["--tls-certificate", "own"]) }
    try TestLoop.run { test in
      let (first, port) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      #expect(second.errorOutput.contains("another server has the journal"))
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      let token = try #require(ann.value(of: "token", in: #""type":"welcome""#))
      first.kill(.terminate)
      let otherPort = try second.awaitListening(on: test)
      #expect(otherPort != 0, "\(second.errorOutput)")
      #expect(second.errorOutput.contains("nobody has the journal: taking it"))
      #expect(first.ending == .exited(code: 0) || !first.hasEnded)

      let resumed = try Caller(port: otherPort, on: test)
      try resumed.say(Self.resumption(of: "Ann", by: token))
      try test.run { resumed.heard(#""type":"welcome""#) }
      #expect(resumed.heard(#""resumed":true"#))
      for name in ["invitation-key", "tls"] {
        #expect(try machines[0].secret(name) == machines[1].secret(name), "\(name)")
      }
    }
  }

  @Test func `keys that options name are the same at all servers, too`() throws {
    let database = try Machine.migrated(.shared())
    let keys: KeyValuePairs = [
      "--access-key-file": "access", "--invitation-key-file": "invitations",
      "--web-push-key-file": "push.pem",
    ]
    let options = ["--access", "keys", "--web-push-subject", "mailto:admin@example.org"]
    let machines = try (0..<2).map { _ in try Machine(database, options, keys: keys) }
    try TestLoop.run { test in
      let (first, firstPort) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      let key = try #require(first.foundingLink(on: test).split(separator: "#").last)
      let ann = try Caller(port: firstPort, on: test)
      try ann.say(
        #"{"type":"hello","user":"ann","credential":"0000000000000000000000000a"}"#,
        #"{"type":"joinGroup","id":1,"group":"friday","key":"\#(key)"}"#)
      try test.run { ann.heard(#""type":"ok","id":1"#) }
      first.kill(.terminate)
      let port = try second.awaitListening(on: test)
      #expect(port != 0, "\(second.errorOutput)")
      for (_, file) in keys {
        #expect(try machines[0].content(of: file) == machines[1].content(of: file), "\(file)")
      }
      #expect(second.output.isEmpty, "the link that opens groups is not told anew")
    }
  }

  @Test func `another key in a file that an option names takes the place of the one before`() throws
  {
    let database = try Machine.migrated(.shared())
    let keys: KeyValuePairs = ["--invitation-key-file": "invitations"]
    let machines = try (0..<2).map { _ in try Machine(database, keys: keys) }
    let other = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
    try TestLoop.run { test in
      for text in [nil, other] {
        if let text { try machines[0].write(text, to: "invitations") }
        let (server, port) = try machines[0].serve(on: test)
        #expect(port != 0, "\(server.errorOutput)")
        server.kill(.terminate)
        try test.run { server.hasEnded }
      }
      let (server, port) = try machines[1].serve(on: test)
      #expect(port != 0, "\(server.errorOutput)")
      #expect(try machines[1].content(of: "invitations") == other)
    }
  }

  @Test func `a secret of another origin is not overwritten, and not used`() throws {
    let database = try Machine.migrated(.shared())
    let (known, odd) = (try Machine(database), try Machine(database))
    try TestLoop.run { test in
      let (first, _) = try known.serve(on: test)
      first.kill(.terminate)
      try test.run { first.hasEnded }
      let folder = odd.folder.path(of: "matinee")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let path = "\(folder)/journal.invitation-key"
      let own = Data("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n".utf8)
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: own, attributes: [.posixPermissions: 0o600]))
      let (refused, _) = try odd.serve(on: test)
      #expect(refused.ending == .exited(code: 66))
      #expect(
        refused.errorOutput.contains("this is not the one that the servers of the journal share"))
      #expect(FileManager.default.contents(atPath: path) == own)
    }
  }

  @Test func `a database that hangs, restarts or dies is no reason to take over`() throws {
    let keeper = try DatabaseServer()
    let database = try Machine.migrated(keeper)
    let machines = try (0..<2).map { _ in try Machine(database) }
    try TestLoop.run { test in
      let (first, port) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      let faults: [[DatabaseServer.Command]] = [
        [.freeze, .thaw], [.stop, .start], [.kill, .start],
      ]
      for (number, fault) in faults.enumerated() {
        try keeper.command(fault[0])
        // Longer than a server may fall silent.
        try test.run(for: .seconds(4))
        try keeper.command(fault[1])
        // As long as it takes to take a journal over.
        try test.run(for: .seconds(2))
        // The database recovers, and the server connects anew, in a time of their own.
        let end = test.loop.now + TestLoop.patience
        var late = try Caller(port: port, on: test)
        for attempt in 1... {
          try late.enter("friday", as: "p\(number)-\(attempt)")
          try test.run { [late] in late.heard(#""id":1"#) || late.hasEnded }
          guard !late.heard(#""type":"ok","id":1"#), test.loop.now < end else { break }
          late.hangUp()
          try test.run(for: .milliseconds(250))
          late = try Caller(port: port, on: test)
        }
        #expect(late.heard(#""type":"ok","id":1"#), "\(fault): \(late.lines)")
      }
      try test.run { second.errorOutput.contains("the database does not answer") }
      #expect(first.ending == nil && second.ending == nil)
      #expect(!second.errorOutput.contains("taking"), "\(second.errorOutput)")
    }
  }

  @Test func `people are sent elsewhere while the database is away, even if nobody has asked`()
    throws
  {
    let keeper = try DatabaseServer()
    let machine = try Machine(try Machine.migrated(keeper), ["--http", "127.0.0.1:0"])
    try TestLoop.run { test in
      let (server, port) = try machine.serve(on: test)
      let visitor = try WebPeer(
        port: #require(server.port(of: "serving browsers")), on: test)
      #expect(try visitor.get("/readyz").status == 200)
      let operatorsPeer = try Caller(port: port, on: test)
      try operatorsPeer.greet(as: "Otto")
      for (number, (command, words, status)) in [
        (DatabaseServer.Command.stop, "does not answer", 503), (.start, "answers again", 200),
      ].enumerated() {
        try keeper.command(command)
        try test.run { server.errorOutput.contains("database \(words)") || server.hasEnded }
        #expect(try visitor.get("/readyz").status == status)
        let answer = #""type":"status","id":\#(number + 1),"#
        try operatorsPeer.say(#"{\#(answer.dropLast())}"#)
        try test.run { operatorsPeer.heard(answer) }
        let obstacle = operatorsPeer.value(of: "obstacle", in: answer)
        #expect(obstacle == (status == 200 ? nil : "The journal's database does not answer."))
      }
    }
  }

  @Test func `who stands by ends on a signal, and needs a journal that can be shared`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try (0..<2).map { _ in try Machine(database) }
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      second.kill(.terminate)
      try test.run { second.hasEnded }
      #expect(second.ending == .exited(code: 0))
      #expect(first.ending == nil)
      for journal in ["memory", machines[0].folder.journal] {
        let refused = try Program.run(
          ["serve", "--listen", "127.0.0.1:0", "--standby", "--journal", journal], on: test)
        #expect(refused.ending == .exited(code: 64))
        #expect(refused.errorOutput.contains("--standby takes a journal that servers can share"))
      }
    }
  }

  @Test(arguments: [
    ["--admin-key-file"],
    ["--access", "tokens", "--token-key-file"],
    ["--syncplay", "127.0.0.1:0", "--motd-file"],
    ["--apns-key-id", "ABC123DEFG", "--apns-team-id", "TEAM123456", "--apns-key-file"],
  ])
  func `a missing file ends a server before it stands by, and not when it is needed`(
    options: [String]
  ) throws {
    let database = try Machine.migrated(.shared())
    let folder = try ScratchFolder()
    let missing = options + [folder.path(of: "none")]
    let machines = try [Machine(database), Machine(database, missing)]
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      #expect(second.ending == .exited(code: 66), "\(second.errorOutput)")
      #expect(second.errorOutput.contains("there is no such file"), "\(second.errorOutput)")
      #expect(first.ending == nil)
    }
  }

  @Test func `keys that go bad while a server stands by leave those before them`() throws {
    let database = try Machine.migrated(.shared())
    let keys: KeyValuePairs = [
      "--token-key-file": "token.key", "--admin-key-file": "admin.key",
    ]
    let machines = try (0..<2).map { _ in
      try Machine(database, ["--access", "tokens"], keys: keys)
    }
    let secret = "0123456789abcdef0123456789abcdef"
    for machine in machines {
      for file in ["token.key", "admin.key", "good.key"] { try machine.write(secret, to: file) }
    }
    let good = machines[1].folder.path(of: "good.key")
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      for (_, file) in keys { try machines[1].write("short", to: file) }
      second.kill(.hangUp)
      try test.run { second.errorOutput.contains("no change of the keys") || second.hasEnded }
      first.kill(.terminate)
      let port = try second.awaitListening(on: test)
      #expect(port != 0, "\(second.errorOutput)")
      #expect(
        second.errorOutput.contains("no change of the administrator's key"),
        "\(second.errorOutput)")
      let made = try Program.run(
        ["token", "--key-file", good, "--user", "ann", "--admin"], on: test)
      try machines[1].write(made.output, to: "ann.token")
      let ask = ["status", "--server", "127.0.0.1:\(port)"]
      for proof in [
        ["--token-file", machines[1].folder.path(of: "ann.token")], ["--admin-key-file", good],
      ] {
        let answer = try Program.run(ask + proof, on: test)
        #expect(answer.ending == .exited(code: 0), "\(proof): \(answer.errorOutput)")
      }
    }
  }

  @Test func `campaigns that change while a server stands by hold when it takes over`() throws {
    let database = try Machine.migrated(.shared())
    let campaign = "triggers: {event: Shop Opened}\nmessage: {message: Welcome}"
    let folder = try ScratchFolder(["hello.yaml": campaign])
    let options = ["--campaigns", folder.path, "--message-interval", "0"]
    let machines = try [Machine(database), Machine(database, options)]
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      try "triggers: launch\nmesage: {message: Hi}".write(
        toFile: folder.path(of: "bad.yaml"), atomically: true, encoding: .utf8)
      second.kill(.hangUp)
      try test.run { second.errorOutput.contains("no change of the campaigns") || second.hasEnded }
      #expect(second.errorOutput.contains("bad.yaml:2:1"), "\(second.errorOutput)")
      try FileManager.default.removeItem(atPath: folder.path(of: "bad.yaml"))
      try campaign.replacing("Welcome", with: "Goodbye").write(
        toFile: folder.path(of: "hello.yaml"), atomically: true, encoding: .utf8)
      first.kill(.terminate)
      let port = try second.awaitListening(on: test)
      #expect(second.errorOutput.contains("campaigns read again"), "\(second.errorOutput)")
      let ann = try Caller(port: port, on: test)
      try ann.greet(as: "Ann")
      try ann.say(
        #"{"type":"appState","id":1,"visible":true}"#,
        #"{"type":"logEvent","id":2,"name":"Shop Opened","properties":{}}"#)
      try test.run { ann.heard(#""type":"inAppMessage""#) }
      #expect(ann.heard("Goodbye"), "\(ann.lines)")
    }
  }

  @Test func `a reload that is asked for during a takeover ends nobody`() throws {
    let database = try Machine.migrated(.shared())
    let machines = try (0..<2).map { _ in try Machine(database) }
    try TestLoop.run { test in
      let (first, _) = try machines[0].serve(on: test)
      let second = try machines[1].standBy(on: test)
      first.kill(.terminate)
      try test.run { second.errorOutput.contains("taking it") || second.hasEnded }
      second.kill(.hangUp)
      #expect(try second.awaitListening(on: test) != 0, "\(second.errorOutput)")
      second.kill(.terminate)
      try test.run { second.hasEnded }
      #expect(second.ending == .exited(code: 0), "\(second.errorOutput)")
    }
  }
}
