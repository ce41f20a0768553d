import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing

/// A server whose journal has reached its size.
@Suite struct FullJournalTests {
  private func serve(_ path: String, on test: TestLoop) throws -> (server: Program, port: UInt16) {
    try Program.serve(
      ["--journal", "sqlite:\(path)", "--journal-size", "400000", "--eligible-members", "1"],
      on: test)
  }

  private func count(_ part: String, in server: Program) -> Int {
    server.errorOutput.split(separator: "\n").count { $0.contains(part) }
  }

  /// Says a request and waits for its answer.
  private func ask(_ caller: Caller, _ id: Int, _ request: String, on test: TestLoop) throws
    -> String
  {
    try caller.say(#"{"id":\#(id),\#(request)}"#)
    func answer() -> String? {
      caller.lines.first {
        $0.contains(#""id":\#(id),"#) || $0.contains(#""id":\#(id)}"#)
      }
    }
    try test.run { answer() != nil || caller.hasEnded }
    return answer() ?? ""
  }

  @Test func `it warns, refuses what would grow it, lets people go on, and starts again`() throws {
    try TestLoop.run { test in
      let path = try ScratchFolder().path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      _ = try ask(
        ann, 2,
        #""type":"activate","activity":{"type":"watch","metadata":{"title":"Film"},"#
          + #""media":{"url":"film.mp4"}}"#, on: test)
      let session = try #require(ann.value(of: "session", in: #""type":"ok","id":2"#))
      _ = try ask(ann, 3, #""type":"join","session":"\#(session)""#, on: test)
      let item = #""item":"film.mp4""#
      _ = try ask(ann, 4, #""type":"transition",\#(item),"duration":60000000"#, on: test)
      let text = String(repeating: "x", count: 8_000)
      var refusal = ""
      for id in 10..<100 where refusal.isEmpty {
        let answer = try ask(ann, id, #""type":"send","payload":"\#(text)""#, on: test)
        if answer.contains(#""type":"error""#) { refusal = answer }
      }
      #expect(refusal.contains(#""code":"journalFull""#), "\(refusal)")
      #expect(count("the journal is nearly full", in: server) == 1)
      try test.run { count("the journal is full", in: server) == 1 }
      let pause = try ask(ann, 100, #""type":"pause",\#(item),"mediaTime":0"#, on: test)
      #expect(pause.contains(#""type":"ok""#), "\(pause)")

      server.kill(.kill)
      try test.run { server.hasEnded }
      let (next, nextPort) = try serve(path, on: test)
      try test.run { count("the journal is full", in: next) == 1 }
      let ben = try Caller(port: nextPort, on: test)
      try ben.enter("friday", as: "Ben")
      try test.run { ben.heard(#""code":"journalFull""#) }
    }
  }
}
