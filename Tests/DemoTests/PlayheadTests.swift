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
      - after: 3
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
        // How long players take to be close or to stand depends on the machine's load, and may not
        // be known.
        let name = figure["figure"] as? String ?? ""
        if ["together after", "all on the same frame after"].contains(where: {
          name.hasPrefix($0)
        }) {
          continue
        }
        let value = try #require(figure["value"] as? Double, "\(figure)")
        #expect(value.isFinite)
        #expect(value >= 0)
      }
    }
  }

  @Test func `windows and virtual time do not go together`() throws {
    try TestLoop.run { test in
      let program = try Program.demo(["together", "--virtual", "--windows"], on: test)
      #expect(program.ending == .exited(code: 64))
    }
  }
}
