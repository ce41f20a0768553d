import EventLoops
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// A server with fewer descriptors than connecting people.
@Suite struct DescriptorTests {
  private static let descriptors = 64
  private static let crowd = 100

  @Test func `whoever is in goes on, the others are hung up on, and there is room again later`()
    throws
  {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(descriptors: Self.descriptors, on: test)
      #expect(server.errorOutput.contains("fewer descriptors than peers"))
      let callers = try (0..<Self.crowd).map { number in
        let caller = try Caller(port: port, on: test)
        // A rejected client may learn it only when it writes.
        do throws(StreamError) { try caller.greet(as: "p\(number)") } catch {}
        return caller
      }
      func isSettled(_ caller: Caller) -> Bool { caller.hasEnded || caller.heard("welcome") }
      try test.run { callers.allSatisfy(isSettled) }
      let inside = callers.filter { !$0.hasEnded }
      #expect(inside.count > Self.descriptors / 2)
      #expect(inside.count < Self.descriptors)

      // Connected clients are not affected.
      for caller in inside { try caller.say(#"{"type":"joinGroup","id":1,"group":"friday"}"#) }
      try test.run { inside.allSatisfy { $0.heard(#""type":"ok","id":1"#) } }

      // The server reports it once and then does nothing.
      try expectSilence(of: server, on: test)
      let complaints = server.errorOutput.split(separator: "\n").filter {
        $0.contains("no descriptor is left")
      }
      #expect(complaints.count == 1, "\(complaints)")
      #expect(complaints.first?.contains("EMFILE") == true)
      #expect(complaints.first?.contains("ulimit -Hn") == true)

      for caller in inside.prefix(3) { caller.hangUp() }
      try test.run {
        inside[3].lines.count { $0.contains(#""event":"memberLost""#) } == 3
      }
      let late = try Caller(port: port, on: test)
      try late.enter("friday", as: "Late")
      try test.run { late.heard(#""type":"ok","id":1"#) || late.hasEnded }
      #expect(late.heard(#""type":"ok","id":1"#))
      #expect(server.ending == nil)
    }
  }

  @Test func `who asks how a full server is gets an answer, but no WebSocket`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(
        ["--http", "127.0.0.1:0"], descriptors: Self.descriptors, on: test)
      try test.run { server.port(of: "serving browsers") != nil }
      let web = try #require(server.port(of: "serving browsers"))
      let callers = try (0..<Self.crowd).map { number in
        let caller = try Caller(port: port, on: test)
        do throws(StreamError) { try caller.greet(as: "p\(number)") } catch {}
        return caller
      }
      try test.run { callers.allSatisfy { $0.hasEnded || $0.heard("welcome") } }
      #expect(callers.contains { $0.hasEnded })
      // More than the descriptors that are spared: each question gives its own back.
      for _ in 0..<20 {
        let monitor = try WebPeer(port: web, on: test)
        #expect(try monitor.get("/healthz").status == 200)
        try test.run { monitor.hasEnded }
        monitor.hangUp()
      }
      #expect(try WebPeer(port: web, on: test).upgrade().status == 503)
      #expect(server.ending == nil)
    }
  }

  /// In half a second, a spinning server uses 50 ticks, and an idle one none.
  private func expectSilence(of server: Program, on test: TestLoop) throws {
    var used = Int.max
    // What it has done before may go on for a while on a busy machine.
    for _ in 0..<60 where used >= 10 {
      let before = try #require(RunningProcess(server.id)).processorTicks
      try test.run(for: .milliseconds(500))
      used = try #require(RunningProcess(server.id)).processorTicks - before
    }
    #expect(used < 10)
  }
}
