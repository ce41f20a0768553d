import EventLoops
import LoopTesting
import ProgramTesting
import Testing

/// An audience at several servers: whoever watches as a spectator is unknown to the server that takes
/// over, and plays on.
@Suite struct AudienceScenarioTests {
  private static let premiere = """
    name: premiere at three servers
    about: Each at another server, of which the one that decides is killed.
    places: 2
    peers:
      ann: {delay: 5 ms}
      ben: {delay: 25 ms, jitter: 5 ms}
      cat: {delay: 40 ms, jitter: 5 ms}
      dan: {delay: 100 ms, jitter: 15 ms}
    steps:
      - at: 0
        ann ben: group join
        see: {ann ben: eligible, within: 3}
      - after: 0
        ann: activate --audience
        see: {ann ben: offered, within: 2}
      - after: 0
        ann ben: join
        see: {ann ben: [joined, paused at 0], within: 3}
      - after: 0
        cat dan: group join
        see: {cat dan: [eligible, offered], within: 3}
      - after: 0
        cat dan: join
        see: {cat dan: joined, all: [participants ann ben, audience 2], within: 4}
      - after: 0
        ann: play
        see: {all: [playing, beyond 1], within: 5}
      - after: 0
        server: fail over
        see:
          - {all: [playing, player runs], throughout: 6}
          - {all: reconnecting, within: 3}
      - after: 0
        see: {all: connected, within: 12}
      - after: 0
        see: {all: [playing, participants ann ben, audience 2], within: 5}
      - after: 0
        ben: pause
        see: {all: [paused, together within 1 ms], within: 4}
    """

  @Test func `an audience plays on while another server takes over`() throws {
    let file = try ScenarioFile(patient: Self.premiere)
    try TestLoop.run { test in
      let program = try Program.demo([file.path], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
    }
  }
}
