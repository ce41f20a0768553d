import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// The built server while its disk is full, and afterwards.
@Suite(.serialized) struct FullDiskTests {
  /// Two people who watch together, and a server whose disk can be filled.
  private final class Evening {
    let test: TestLoop
    let disk: SmallDisk
    private(set) var server: Program
    private(set) var port: UInt16
    private(set) var ann: Caller
    private(set) var ben: Caller
    private(set) var session = ""
    private var next = 10
    /// The numbers sent as messages and acknowledged.
    private(set) var kept: [Int] = []

    init(_ test: TestLoop) throws {
      self.test = test
      disk = try SmallDisk(on: test)
      (server, port) = try disk.serve()
      ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      ben = try Caller(port: port, on: test)
      try ben.enter("friday", as: "Ben")
      let (ann, ben) = (ann, ben)
      try test.run { ann.heard(#""type":"ok","id":1"#) && ben.heard(#""type":"ok","id":1"#) }
      try ann.say(
        #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"Film"},"#
          + #""media":{"url":"film.mp4"}}}"#)
      try test.run { ann.heard(#""type":"ok","id":2"#) }
      session = try #require(ann.value(of: "session", in: #""type":"ok","id":2"#))
      for caller in [ann, ben] {
        try caller.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
      }
      try test.run { ann.heard(#""type":"ok","id":3"#) && ben.heard(#""type":"ok","id":3"#) }
    }

    /// Sends a message as Ann.
    ///
    /// - Returns: the server's answer.
    func send() throws -> String {
      next += 1
      let (number, ann) = (next, ann)
      try ann.say(#"{"type":"send","id":\#(number),"payload":\#(number)}"#)
      try test.run {
        ann.line(#""id":\#(number),"#) != nil || ann.line(#""id":\#(number)}"#) != nil
      }
      let answer = ann.line(#""id":\#(number),"#) ?? ""
      if answer.contains(#""type":"ok""#) { kept.append(number) }
      return answer
    }

    func sendUntil(_ part: String) throws -> String {
      let end = test.loop.now + .seconds(30)
      while test.loop.now < end {
        let answer = try send()
        if answer.contains(part) { return answer }
      }
      throw TestLoop.TimedOut()
    }

    /// How many lines of the server's log contain a text.
    func count(_ part: String) -> Int {
      server.errorOutput.split(separator: "\n").count { $0.contains(part) }
    }

    /// The messages that a peer has received.
    func messages(_ caller: Caller) -> [Int] {
      caller.lines.filter { $0.contains(#""event":"messageSent""#) }
        .compactMap { line in
          line.firstRange(of: #""payload":"#).flatMap {
            Int(line[$0.upperBound...].prefix { $0.isNumber })
          }
        }
    }

    /// Kills and restarts the server; Ann resumes from her first position.
    func restart() throws {
      let token = try #require(ann.value(of: "token", in: #""type":"welcome""#))
      let seq = try #require(ann.number(of: "seq", in: #""type":"snapshot""#))
      server.kill(.kill)
      let dead = server
      try test.run { dead.hasEnded }
      try disk.free()
      (server, port) = try disk.serve()
      ann = try Caller(port: port, on: test)
      try ann.say(
        #"{"type":"hello","versions":[1],"user":"Ann","device":"Ann-1","name":"Ann","#
          + #""features":["sessions"],"resume":{"token":"\#(token)","session":"\#(session)","seq":\#(seq)}}"#
      )
      let ann = ann
      try test.run { ann.heard(#""event":"resumed""#) || ann.hasEnded }
    }
  }

  @Test func `while it is full commands are refused, players go on, and it goes on by itself`()
    throws
  {
    try TestLoop.run { test in
      let evening = try Evening(test)
      let ben = evening.ben
      for _ in 0..<5 { #expect(try evening.send().contains(#""type":"ok""#)) }
      try evening.disk.fill()
      let refusal = try evening.sendUntil(#""type":"error""#)
      #expect(refusal.contains(#""code":"journalUnavailable""#))
      #expect(refusal.contains(#""retryAfter":"#))
      for _ in 0..<3 {
        #expect(try evening.send().contains(#""code":"journalUnavailable""#))
      }
      // Ben is answered, receives nothing that was not kept, and nobody is disconnected.
      try ben.say(#"{"type":"ping","sent":77}"#)
      try test.run { ben.heard(#""type":"pong","sent":77"#) }
      #expect(evening.messages(ben) == evening.kept)
      #expect(!ben.hasEnded && evening.server.ending == nil)
      #expect(!ben.heard(#""event":"lost""#) && !ben.heard(#""type":"error""#))
      try test.run { evening.count("the journal cannot be written") == 1 }

      // Nobody has to ask for anything: whoever keeps people away by /readyz would wait for ever.
      try evening.disk.free()
      try test.run { evening.count("the journal can be written again") == 1 }
      #expect(try evening.send().contains(#""type":"ok""#))
      let last = evening.kept
      try test.run { evening.messages(ben) == last }
      #expect(evening.count("the journal cannot be written") == 1)
      try evening.disk.remove()
    }
  }

  @Test func `killed while it is full: all that was acknowledged is there`() throws {
    try TestLoop.run { test in
      let evening = try Evening(test)
      for _ in 0..<5 { _ = try evening.send() }
      try evening.disk.fill()
      _ = try evening.sendUntil(#""code":"journalUnavailable""#)
      for _ in 0..<3 { _ = try evening.send() }
      try evening.restart()
      #expect(evening.ann.heard(#""type":"welcome""#))
      #expect(evening.messages(evening.ann) == evening.kept)
      #expect(evening.kept.count >= 5)
      _ = try evening.sendUntil(#""type":"ok""#)
      #expect(evening.count("damaged") == 0)
      try evening.disk.remove()
    }
  }

  @Test func `a damaged file stays where it is while there is no room for a new one`() throws {
    try TestLoop.run { test in
      let disk = try SmallDisk(on: test)
      let damaged = Data("no database at all".utf8)
      try disk.write(damaged, to: disk.journal)
      try disk.write(Data(), to: disk.journal + ".lock")
      try disk.fill()
      let (refused, _) = try disk.serve()
      try test.run { refused.hasEnded }
      #expect(refused.ending == .exited(code: 73))
      #expect(refused.errorOutput.contains("cannot be opened"), "\(refused.errorOutput)")
      #expect(disk.contents(disk.journal) == damaged)
      try disk.free()
      let (server, port) = try disk.serve()
      #expect(port > 0)
      #expect(server.errorOutput.contains("is set aside as"))
      try disk.remove()
    }
  }
}
