import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The built server with campaigns: the messages to peers, and reloading of files.
@Suite struct ServeCampaignsTests {
  private static let hello = """
    triggers: {event: Shop Opened}
    message: {message: "Welcome {{event.who | default: you}}"}
    """

  private func logEvent(_ id: Int, _ properties: String = "{}") -> String {
    #"{"type":"logEvent","id":\#(id),"name":"Shop Opened","properties":\#(properties)}"#
  }

  /// A client whose app is in the foreground.
  private func open(_ name: String, port: UInt16, on test: TestLoop) throws -> Caller {
    let caller = try Caller(port: port, on: test)
    try caller.greet(as: name)
    try caller.say(#"{"type":"appState","id":1,"visible":true}"#)
    try test.run { caller.heard(#""type":"ok","id":1"#) }
    return caller
  }

  // Proves: F21, R-3
  @Test func `an event brings the message that it triggers, once`() throws {
    try TestLoop.run { test in
      let forBob = "triggers: {event: Shop Opened, where: {who: Bob}}\nmessage: {message: Bob!}"
      let folder = try ScratchFolder(["hello.yaml": Self.hello, "for-bob.yaml": forBob])
      let (server, port) = try Program.serve(
        ["--campaigns", folder.path, "--message-interval", "0"], on: test)
      // They are read before the server listens, so that no event arrives too early.
      #expect(server.errorOutput.contains("campaigns=2"))
      let ann = try open("Ann", port: port, on: test)
      try ann.say(logEvent(2, #"{"who":"Ann"}"#))
      try test.run { ann.heard(#""type":"inAppMessage""#) }
      #expect(ann.line("inAppMessage")?.contains("Welcome Ann") == true)
      let message = try #require(ann.value(of: "message", in: "inAppMessage"))
      try ann.say(
        #"{"type":"reportMessage","id":3,"message":"\#(message)","report":"started"}"#,
        #"{"type":"reportMessage","id":4,"message":"\#(message)","report":"impression"}"#,
        #"{"type":"reportMessage","id":5,"message":"\#(message)","report":"dismissed","reason":"closeButton"}"#,
        logEvent(6))
      try test.run { ann.heard(#""type":"ok","id":6"#) }
      #expect(ann.lines.count { $0.contains("inAppMessage") } == 1)
      let why = try Program.run(
        ["campaigns", "explain", "Ann", "--server", "127.0.0.1:\(port)"], on: test)
      #expect(why.ending == .exited(code: 0))
      #expect(why.output.contains("hello"))
      #expect(why.output.contains("event Shop Opened: noMatch by filter 1"), "\(why.output)")
      #expect(why.output.contains("frequency"), "\(why.output)\(why.errorOutput)")
    }
  }

  @Test func `messages that come as the app is opened may be a day apart, others whenever`() throws
  {
    let open = "triggers: foreground\nreEligibility: always\nmessage: {message: Opened}"
    try TestLoop.run { test in
      let folder = try ScratchFolder(["hello.yaml": Self.hello, "open.yaml": open])
      let (server, port) = try Program.serve(
        [
          "--campaigns", folder.path, "--message-interval", "0", "--foreground-message-interval",
          "86400",
        ], on: test)
      let ann = try self.open("Ann", port: port, on: test)
      func toForeground(_ id: Int) -> String {
        #"{"type":"appState","id":\#(id),"visible":true,"change":"foreground"}"#
      }
      try ann.say(toForeground(2))
      try test.run { ann.heard("Opened") }
      let message = try #require(ann.value(of: "message", in: "inAppMessage"))
      try ann.say(
        #"{"type":"reportMessage","id":3,"message":"\#(message)","report":"impression"}"#,
        #"{"type":"reportMessage","id":4,"message":"\#(message)","report":"dismissed","reason":"closeButton"}"#,
        toForeground(5), logEvent(6))
      try test.run { ann.heard("Welcome you") }
      #expect(ann.lines.count { $0.contains("Opened") } == 1)
      #expect(!server.hasEnded)
    }
  }

  // Proves: S1, S16
  @Test func `unless told otherwise a server has the player's campaign`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      #expect(server.errorOutput.contains("campaigns=1 from=player"), "\(server.errorOutput)")
      let ann = try open("Ann", port: port, on: test)
      let pressed =
        #"{"type":"logEvent","id":2,"name":"Video Pressed","properties":{"url":"https://a.org/b"}}"#
      try ann.say(pressed)
      try test.run { ann.heard(#""type":"inAppMessage""#) }
      #expect(ann.line("inAppMessage")?.contains("https://a.org/b") == true)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("no files to read again") }
    }
  }

  @Test func `without campaigns there are no messages, and it says so`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--campaigns", "none"], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.greet(as: "Ann")
      try ann.say(logEvent(1))
      try test.run { ann.heard(#""code":"messagingUnavailable""#) }
      #expect(!server.hasEnded)
    }
  }

  // Proves: R-3
  @Test func `a hang-up reads the files again, and mistakes in them change nothing`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["hello.yaml": Self.hello])
      let (server, port) = try Program.serve(
        ["--campaigns", folder.path, "--message-interval", "0"], on: test)
      try "triggers: launch\nmesage: {message: Hi}".write(
        toFile: folder.path + "/bad.yaml", atomically: true, encoding: .utf8)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("no change of the campaigns") }
      #expect(server.errorOutput.contains("bad.yaml:2:1"))
      let ann = try open("Ann", port: port, on: test)
      try ann.say(logEvent(2))
      try test.run { ann.heard("Welcome you") }

      try FileManager.default.removeItem(atPath: folder.path + "/bad.yaml")
      try Self.hello.replacing("Welcome", with: "Goodbye").write(
        toFile: folder.path + "/hello.yaml", atomically: true, encoding: .utf8)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("campaigns read again") }
      let bob = try open("Bob", port: port, on: test)
      try bob.say(logEvent(2))
      try test.run { bob.heard("Goodbye you") }
      server.kill(.terminate)
      try test.run { ann.hasEnded && bob.hasEnded }
      ann.hangUp()
      bob.hangUp()
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
    }
  }

  @Test func `a hang-up during a start ends nothing, and is heard once the server runs`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let server = try Program(
        ["serve", "--listen", "127.0.0.1:0", "--journal", folder.journal], on: test)
      // Its first words, before it opens its journal.
      try test.run { server.errorOutput.contains("campaigns") || server.hasEnded }
      server.kill(.hangUp)
      #expect(try server.awaitListening(on: test) != 0, "\(server.errorOutput)")
      try test.run { server.errorOutput.contains("no files to read again") || server.hasEnded }
      #expect(!server.hasEnded, "\(server.errorOutput)")
    }
  }

  @Test func `mistakes in the files at the start are told, each in a line, and nothing is served`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["bad.yaml": "triggers: launch\nmesage: {message: Hi}"])
      let (server, _) = try Program.serve(["--campaigns", folder.path], on: test)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 65))
      #expect(server.errorOutput.contains("bad.yaml:2:1"))
      let (nowhere, _) = try Program.serve(["--campaigns", folder.path + "/none"], on: test)
      try test.run { nowhere.hasEnded }
      #expect(nowhere.ending == .exited(code: 66))
      for option in ["--message-interval", "--foreground-message-interval"] {
        let far = try Program.run(["serve", option, "604801"], on: test)
        #expect(far.ending == .exited(code: 64))
        #expect(far.errorOutput.contains("\(option) takes 0 to 604800 seconds, not 604801"))
      }
    }
  }

  @Test func `what was seen before a crash is not shown again after it`() throws {
    let directory = try PrivateDirectory(prefix: "matinee-campaigns-")
    try TestLoop.run { test in
      let folder = try ScratchFolder(["hello.yaml": Self.hello])
      let options = [
        "--campaigns", folder.path, "--message-interval", "0", "--journal",
        "sqlite:\(directory.path(of: "journal"))",
      ]
      let (server, port) = try Program.serve(options, on: test)
      let ann = try open("Ann", port: port, on: test)
      try ann.say(logEvent(2))
      try test.run { ann.heard(#""type":"inAppMessage""#) }
      let message = try #require(ann.value(of: "message", in: "inAppMessage"))
      try ann.say(
        #"{"type":"reportMessage","id":3,"message":"\#(message)","report":"impression"}"#)
      try test.run { ann.heard(#""type":"ok","id":3"#) }
      server.kill(.kill)
      try test.run { server.hasEnded }

      let (next, newPort) = try Program.serve(options, on: test)
      let again = try open("Ann", port: newPort, on: test)
      try again.say(logEvent(2))
      try test.run { again.heard(#""type":"ok","id":2"#) }
      #expect(!again.heard(#""type":"inAppMessage""#))
      // Another person has not seen anything yet.
      let bob = try open("Bob", port: newPort, on: test)
      try bob.say(logEvent(2))
      try test.run { bob.heard(#""type":"inAppMessage""#) }
      #expect(!next.hasEnded)
    }
    try FileManager.default.removeItem(atPath: directory.path)
  }
}
