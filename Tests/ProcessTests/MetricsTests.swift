import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary
import WebSocketTesting

/// `matinee serve --metrics`, by the built program.
@Suite struct MetricsTests {
  private static func serve(
    _ options: [String], on test: TestLoop
  ) throws -> (server: Program, native: UInt16, web: UInt16, figures: UInt16) {
    let (server, native) = try Program.serve(
      ["--http", "127.0.0.1:0", "--metrics", "0"] + options, on: test)
    try test.run { server.port(of: "serving figures") != nil }
    let web = try #require(server.port(of: "serving browsers"))
    return (server, native, web, try #require(server.port(of: "serving figures")))
  }

  @Test func `who runs the server sees who is there, and what was refused`() throws {
    try TestLoop.run { test in
      let (server, native, web, figures) = try Self.serve([], on: test)
      let ben = try Caller(port: native, on: test)
      try ben.enter("friday", as: "ben")
      let ann = try WebPeer(port: web, on: test)
      _ = try ann.upgrade()
      try ann.say(#"{"type":"hello","user":"ann","features":["sessions"]}"#)
      try ann.say(#"{"type":"leave","id":1}"#)
      try test.run { ann.heard("notJoined") }
      let answer = try WebPeer(port: figures, on: test).get("/metrics")
      #expect(answer.status == 200)
      #expect(
        answer["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
      let lines = Set(answer.text.split(separator: "\n"))
      for line in [
        #"matinee_peers{dialect="native"} 1"#, #"matinee_peers{dialect="websocket"} 1"#,
        "matinee_groups 1", "matinee_sessions 0",
        #"matinee_refusals_total{code="notJoined"} 1"#,
        #"matinee_received_lines_total{dialect="websocket"} 2"#, "matinee_journal_waiting 0",
        "matinee_address_rests_total 0",
      ] {
        #expect(lines.contains(line[...]), "\(line) in \(answer.text)")
      }
      #expect(answer.text.hasSuffix("# EOF\n"))
      #expect(server.ending == nil)
    }
  }

  @Test func `an evening's deliveries, offsets and slow peers are counted`() throws {
    try TestLoop.run { test in
      let (server, native, web, port) = try Self.serve([], on: test)
      func figure(_ name: String) throws -> Int {
        let text = try WebPeer(port: port, on: test).get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("matinee_\(name) ") }
        return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(name)")
      }
      /// Asks until the figure is so, because the server reckons its figures once a second at most.
      func expect(_ name: String, line: Int = #line, _ isSo: (Int) -> Bool) throws {
        let end = test.loop.now + TestLoop.patience
        while try !isSo(figure(name)) {
          guard test.loop.now < end else { throw TestLoop.TimedOut(line: line) }
        }
      }
      let (ann, ben) = (try Caller(port: native, on: test), try WebPeer(port: web, on: test))
      _ = try ben.upgrade()
      try ann.enter("friday", as: "ann")
      try ben.say(#"{"type":"hello","user":"ben","features":["sessions"]}"#)
      try ben.say(#"{"type":"joinGroup","id":1,"group":"friday"}"#)
      try test.run { ben.heard(#""id":1"#) }
      try ann.say(
        #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"A"},"media":{"url":"a.mp4"}}}"#
      )
      try test.run { ann.heard(#""type":"offer""#) && ben.heard(#""type":"offer""#) }
      let session = try #require(ben.offeredSession)
      try ann.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
      try ben.say(#"{"type":"join","id":3,"session":"\#(session)"}"#)
      try test.run { ann.heard(#""type":"snapshot""#) && ben.heard(#""type":"snapshot""#) }

      try ann.say(#"{"type":"transition","id":4,"item":"a.mp4"}"#)
      try test.run { ann.heard(#""id":4"#) }
      // The film rests at 0, and the report is 30 ms from it whenever it comes.
      try ann.say(
        #"{"type":"report","item":"a.mp4","mediaTime":30000,"at":1,"playing":false}"#,
        #"{"type":"setReadyToStart","id":5,"ready":true}"#)
      try test.run { ann.heard(#""id":5"#) }
      try expect(#"apart_seconds_bucket{le="0.04"}"#) { $0 == 1 }
      #expect(try figure(#"apart_seconds_bucket{le="0.02"}"#) == 0)

      let deliveries = #"deliveries_total{dialect="websocket"}"#
      let before = try figure(deliveries)
      for id in 10..<30 { try ann.say(#"{"type":"send","id":\#(id),"payload":\#(id)}"#) }
      try test.run { ben.heard(#""payload":29"#) }
      // The events, and at most a few pings.
      try expect(deliveries) { (before + 20..<before + 30).contains($0) }

      // More than the system keeps for a connection, and less than a slow peer is dropped for.
      ben.pauseReading()
      let words = String(repeating: "x", count: 60_000)
      for id in 30..<44 {
        try ann.say(#"{"type":"send","id":\#(id),"payload":"\#(words)"}"#)
        try test.run { ann.heard(#""id":\#(id)"#) }
      }
      try expect("backlog_bytes") { $0 > 0 }
      #expect(try figure("backlog_peers") == 1)
      ben.resumeReading()
      try expect("backlog_peers") { $0 == 0 }
      #expect(server.ending == nil)
    }
  }

  /// By Debian's `python3-prometheus-client`.
  @Test func `Prometheus' own parser reads the figures`() throws {
    try TestLoop.run { test in
      let (server, native, _, figures) = try Self.serve([], on: test)
      let ben = try Caller(port: native, on: test)
      try ben.enter("friday", as: "ben")
      let folder = try ScratchFolder([
        "figures.txt": try WebPeer(port: figures, on: test).get("/metrics").text
      ])
      let script = """
        import sys
        from prometheus_client.openmetrics.parser import text_fd_to_metric_families as read
        for family in read(open(sys.argv[1])):
          print(family.type, family.name)
        """
      let parser = try Program.run(
        ["-c", script, folder.path(of: "figures.txt")], of: "/usr/bin/python3", on: test)
      #expect(parser.ending == .exited(code: 0), "\(parser.errorOutput)")
      let families = parser.output.split(separator: "\n")
      for family in [
        "gauge matinee_peers", "counter matinee_refusals", "counter matinee_address_rests",
        "histogram matinee_journal_append_seconds",
      ] {
        #expect(families.contains(family[...]), "\(family) in \(parser.output)")
      }
      #expect(server.ending == nil)
    }
  }

  @Test func `figures are at their own address only, and that has nothing else`() throws {
    try TestLoop.run { test in
      let (server, _, web, figures) = try Self.serve([], on: test)
      #expect(try WebPeer(port: web, on: test).get("/metrics").text.contains("matinee_") == false)
      let peer = try WebPeer(port: figures, on: test)
      #expect(try peer.get("/").status == 404)
      #expect(try peer.get("/metrics", method: "POST").status == 405)
      #expect(try peer.upgrade().status == 404)
      // A name that was made to lead to this machine.
      #expect(try WebPeer(port: figures, on: test).upgrade(host: "evil.example").status == 421)
      #expect(server.ending == nil)
    }
  }

  @Test func `an address that is none is told before anything starts`() throws {
    try TestLoop.run { test in
      let server = try Program.run(["serve", "--metrics", "nothing"], on: test)
      #expect(server.ending == .exited(code: 64))
      #expect(server.errorOutput.contains("--metrics"), "\(server.errorOutput)")
    }
  }
}
