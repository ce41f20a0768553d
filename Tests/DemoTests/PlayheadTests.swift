import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// Real players in a demonstration, measured from outside.
@Suite struct PlayheadTests {
  private static let scenario = """
    items: {film: {seconds: 20, video: made}}
    peers:
      ann: {player: mpv, delay: 5 ms}
      ben: {player: mpv, delay: 30 ms, jitter: 5 ms}
    steps:
      - at: 0
        all: group join
        see: {all: eligible, within: 60}
      - after: 0
        ann: activate
        see: {all: offered, within: 60}
      - after: 0
        all: join
        see: {all: [joined, paused at 0], within: 60}
      - after: 0.3
        phase: start
        ann: play
        see: {all: [playing, beyond 2], within: 60}
      - after: 0
        phase: pause
        ben: pause
        see: {all: paused, within: 60}
      - after: 0.5
        phase: seek
        ann: [seek 10, play]
        see: {all: beyond 11.8, within: 60}
    """

  @Test func `the distance of real playheads is printed for every phase`() throws {
    let file = try ScenarioFile(Self.scenario)
    try TestLoop.run { test in
      let program = try Program.demo([file.path, "--json"], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      let line = try #require(program.lines.last)
      let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let figures = try #require(report?["playheads"] as? [[String: Any]])
      #expect(Set(figures.compactMap { $0["phase"] as? String }) == ["start", "pause", "seek"])
      for figure in figures {
        // How long players take to be close depends on the machine's load, and may not be known.
        if (figure["figure"] as? String)?.hasPrefix("together after") == true { continue }
        let value = try #require(figure["value"] as? Double, "\(figure)")
        #expect(value.isFinite)
        #expect(value >= 0)
      }
    }
  }

  @Test(arguments: [
    ["syncplay", "--virtual"], ["syncplay", "--windows"], ["syncplay", "--crowd", "1"],
    ["syncplay", "--delay", "20000", "--delay", "10"], ["syncplay", "--delay", "10"],
    ["syncplay", "--rounds", "101"], ["together", "--joins", "2"], ["together", "--rounds", "2"],
  ])
  func `what the comparison cannot do is refused`(arguments: [String]) throws {
    try TestLoop.run { test in
      let program = try Program.demo(arguments, on: test)
      #expect(program.ending == .exited(code: 64))
    }
  }

  @Test func `the comparison's figures stand in one line of JSON`() throws {
    try TestLoop.run { test in
      let program = try Program.demo(
        ["syncplay", "--rounds", "0", "--crowd", "8", "--json"], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      #expect(program.lines.count == 1)
      let line = try #require(program.lines.last)
      let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let figures = try #require(report?["figures"] as? [[String: Any]])
      let name = "processor time of a State"
      let state = try #require(figures.first { $0["figure"] as? String == name })
      for server in ["reference", "matinee", "bareLibuv"] {
        let told = try #require(state[server] as? [String: Any])
        #expect((told["rounds"] as? [Double])?.count == 1)
        #expect((told["value"] as? Double).map { $0 > 0 } == true)
      }
      #expect(state["met"] is Bool)
    }
  }

  @Test func `windows and virtual time do not go together`() throws {
    try TestLoop.run { test in
      let program = try Program.demo(["together", "--virtual", "--windows"], on: test)
      #expect(program.ending == .exited(code: 64))
    }
  }
}
