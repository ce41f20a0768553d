import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Stages
import Testing

/// The built server, tested from outside.
@Suite struct ServeTests {
  @Test(arguments: [Signal.terminate, .interrupt])
  func `a stop tells everyone why, and exits well`(signal: Signal) throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(signal)
      try test.run { ann.hasEnded }
      #expect(ann.lines.last?.contains(#""type":"closing","code":"shuttingDown""#) == true)
      ann.hangUp()
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
      #expect(server.errorOutput.contains("] stopped"))
    }
  }

  @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
  func `a server whose standard streams are closed stops well`(closing: String) throws {
    try TestLoop.run { test in
      let port = try FreePort.find(on: test.loop)
      let server = try Program(
        [
          "-c", "exec \"$0\" \"$@\" \(closing)", try Program.path, "serve", "--listen",
          "127.0.0.1:\(port)", "--journal", "memory",
        ], of: "sh", on: test)
      var connected: Result<ByteStream, EndpointError>?
      let connect = PatientConnect(
        to: .tcp(host: "127.0.0.1", port: port), within: TestLoop.patience, on: test.loop
      ) {
        connected = $0
      }
      defer { connect.cancel() }
      try test.run { connected != nil }
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0), "\(server.errorOutput)")
    }
  }

  @Test func `a second signal stops at once`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--drain-deadline", "3600"], on: test)
      // A client that never disconnects keeps the drain open.
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      try test.run { ann.hasEnded }
      #expect(!server.hasEnded)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 130))
    }
  }

  @Test func `two signals at once are a first and a second`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--drain-deadline", "3600"], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      server.kill(.interrupt)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 130))
    }
  }

  @Test func `a second signal stops at once though a disk hangs`() throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    try TestLoop.run { test in
      let (server, port) = try Program.serve(
        Self.statistics(in: folder) + ["--drain-deadline", "3600"],
        by: Self.diskWithStatistics, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      try test.run { ann.hasEnded }
      server.kill(.interrupt)
      try test.run(within: .seconds(60)) { server.hasEnded }
      #expect(server.ending == .exited(code: 130), "\(server.errorOutput)")
    }
  }

  @Test func `statistics on a disk that hangs are not waited for without end`() throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    try TestLoop.run { test in
      let (server, _) = try Program.serve(
        Self.statistics(in: folder), by: Self.diskWithStatistics, on: test)
      server.kill(.terminate)
      try test.run(within: .seconds(60)) { server.hasEnded }
      #expect(server.ending == .exited(code: 0), "\(server.errorOutput)")
    }
  }

  private static func statistics(in folder: ScratchFolder) -> [String] {
    ["--syncplay", "127.0.0.1:0", "--stats-db-file", folder.path(of: "stats.db")]
  }

  /// A disk on which the statistics can be written, but never closed.
  private static let diskWithStatistics = HangingDisk.wrapper(hangingAt: [.close], of: "stats.db")

  @Test func `a peer that never hangs up is waited for no longer than the drain deadline`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--drain-deadline", "0.2"], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
    }
  }

  @Test func `a taken port is a clear error`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let second = try Program.run(
        ["serve", "--listen", "127.0.0.1:\(port)", "--journal", "memory"], on: test)
      #expect(server.ending == nil)
      #expect(second.ending == .exited(code: 69))
      #expect(second.errorOutput.contains("127.0.0.1:\(port)"))
      #expect(second.errorOutput.contains("stop the program that listens there"))
    }
  }

  @Test(arguments: ["here", "127.0.0.1", "127.0.0.1:99999", "::1:80", ":80", "[::1]:x"])
  func `a mistyped address is a usage error that shows a right one`(address: String) throws {
    try TestLoop.run { test in
      let program = try Program.run(
        ["serve", "--listen", address, "--journal", "memory"], on: test)
      #expect(program.ending == .exited(code: 64))
      #expect(program.errorOutput.contains("such as 127.0.0.1:7878"))
    }
  }

  @Test func `an address of another machine is a clear error`() throws {
    try TestLoop.run { test in
      let program = try Program.run(
        ["serve", "--listen", "192.0.2.1:7878", "--access", "open", "--journal", "memory"], on: test
      )
      #expect(program.ending == .exited(code: 69))
      #expect(program.errorOutput.contains("this machine has no such address"))
    }
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `it serves both versions of IP`(host: String) throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(host: host, on: test)
      let ann = try Caller(port: port, host: host, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"welcome""#) }
      #expect(server.ending == nil)
    }
  }

  @Test func `nonsense from one peer costs the others nothing`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--line-bytes", "4096"], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      let mallory = try Caller(port: port, on: test)
      try mallory.enter("friday", as: "Mallory")
      try mallory.say(
        "{", "[]", #"{"type":"dance","id":7}"#, #"{"type":"seek","id":8,"item":3,"mediaTime":0}"#,
        String(repeating: "x", count: 5000),
        #"{"type":"hello","versions":[1],"user":"m","device":"m","name":"m"}"#,
        #"{"type":"status","id":9}"#)
      try test.run { mallory.heard(#""type":"status","id":9"#) }
      for code in ["notJSON", "unknownType", "invalidField", "lineTooLong", "alreadyGreeted"] {
        #expect(mallory.heard(#""code":"\#(code)""#), "\(code)")
      }
      let stranger = try Caller(port: port, on: test)
      try stranger.say(#"{"type":"status","id":1}"#)
      try test.run { stranger.heard(#""id":1,"code":"helloRequired""#) }
      let scanner = try Caller(port: port, on: test)
      try scanner.say("GET / HTTP/1.1")
      try test.run { scanner.hasEnded }
      #expect(scanner.heard(#""type":"closing","code":"notJSON""#))
      // The operator can block whoever does this all day.
      try test.run {
        server.errorOutput.split(separator: "\n").contains {
          $0.contains("closing a connection") && $0.contains("address=127.0.0.1")
            && $0.contains("code=notJSON")
        }
      }
      try ann.say(#"{"type":"status","id":2}"#)
      try test.run { ann.heard(#""type":"status","id":2"#) }
      #expect(server.ending == nil)
    }
  }

  @Test func `whoever reads slowly loses what may be lost, and nothing else`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(
        [
          "--droppable-bytes", "65536", "--messages-per-second", "100000", "--message-burst",
          "100000",
        ],
        on: test)
      let (ann, bob) = (try Caller(port: port, on: test), try Caller(port: port, on: test))
      for (caller, name) in [(ann, "Ann"), (bob, "Bob")] { try caller.enter("friday", as: name) }
      try test.run { ann.heard(#""eligible":true"#) }
      try ann.say(
        #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"A"}}}"#)
      for caller in [ann, bob] {
        try test.run { caller.heard(#""type":"offer""#) }
        let session = try #require(caller.value(of: "session", in: #""type":"offer""#))
        try caller.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
        try test.run { caller.heard(#""type":"ok","id":3"#) }
      }
      bob.pause()
      // More than two sockets hold.
      let (count, text) = (8_000, String(repeating: "x", count: 1_000))
      for number in 1...count {
        try ann.say(#"{"type":"message","payload":{"number":\#(number),"text":"\#(text)"}}"#)
      }
      try ann.say(#"{"type":"send","id":4,"payload":{"last":true}}"#)
      try test.run { ann.heard(#""type":"ok","id":4"#) }
      bob.goOn()
      try test.run { bob.heard(#""last":true"#) || bob.hasEnded }
      let received = bob.lines.count { $0.contains(#""type":"message""#) }
      #expect(received > 0 && received < count, "\(received)")
      #expect(!bob.hasEnded && server.ending == nil)
    }
  }

  @Test func `what a dismissal does can be said where the server is started`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--dismissal-policy", "leavesOnly"], on: test)
      let people = try ["Ann", "Bob"].map { name in
        let caller = try Caller(port: port, on: test)
        try caller.enter("friday", as: name)
        return caller
      }
      let ann = people[0]
      try test.run { ann.heard(#""eligible":true"#) }
      let activity = #"{"type":"watch","metadata":{"title":"Film"}}"#
      try ann.say(#"{"type":"activate","id":2,"activity":\#(activity)}"#)
      try test.run { ann.heard(#""type":"ok","id":2"#) }
      let session = try #require(ann.value(of: "session", in: #""type":"offer""#))
      try ann.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
      try test.run { ann.heard(#""dismissalPolicy":"leavesOnly""#) }
      let id = try #require(ann.value(of: "participant", in: #""type":"ok","id":3"#))
      try ann.say(#"{"type":"dismiss","id":4}"#)
      try test.run { ann.heard(#""type":"ok","id":4"#) }
      #expect(ann.heard(#""event":"left","participant":"\#(id)","reason":"dismissed""#))
      #expect(server.ending == nil && people.allSatisfy { !$0.hasEnded })

      let mistake = try Program.run(["serve", "--dismissal-policy", "never"], on: test)
      #expect(mistake.ending == .exited(code: 64))
      for policy in ["endsWithInitiator", "endsForEveryone", "leavesOnly"] {
        #expect(mistake.errorOutput.contains(policy))
      }
    }
  }

  @Test func `whoever says nothing is hung up on`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--hello-deadline", "0.1"], on: test)
      let silent = try Caller(port: port, on: test)
      try test.run { silent.hasEnded }
      #expect(silent.heard(#""code":"helloTimeout""#))
      #expect(server.ending == nil)
    }
  }

  @Test func `a peer that never reads is dropped, and the others never notice`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(
        [
          "--outbound-bytes", "20000", "--drain-deadline", "0.1", "--message-burst", "100000",
          "--messages-per-second", "100000",
        ], on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      let deaf = try Caller(port: port, on: test, isReading: false)
      try deaf.enter("friday", as: "Deaf")
      // Each answer is a line that the peer never reads.
      do throws(StreamError) {
        for number in 2..<20_000 { try deaf.say(#"{"type":"status","id":\#(number)}"#) }
      } catch {
        #expect(error.description.contains("EPIPE") || error.description.contains("ECONNRESET"))
      }
      try test.run { server.errorOutput.contains("does not read") }
      try test.run { ann.heard(#""event":"memberLost""#) }
      try ann.say(#"{"type":"status","id":2}"#)
      try test.run { ann.heard(#""type":"status","id":2"#) }
    }
  }

  @Test func `netcat is enough to take part`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let netcat = try Program(
        ["127.0.0.1", "\(port)", "-q", "1"], of: "nc", on: test, takesInput: true)
      let hello = #"{"type":"hello","versions":[1],"user":"ann","device":"ann","name":"Ann"}"#
      try netcat.input?.write(SharedBytes(hello + "\r\n\r\n" + #"{"type":"status","id":1}"# + "\n"))
      // It quits a second after the end of its input, with or without an answer.
      try test.run { netcat.output.contains(#""type":"status","id":1"#) || netcat.hasEnded }
      netcat.input?.finishWriting()
      try test.run { netcat.hasEnded }
      let answer = netcat.output
      #expect(server.ending == nil)
      #expect(answer.contains(#""type":"welcome""#))
      #expect(answer.contains(#""type":"status","id":1"#))
    }
  }
}
