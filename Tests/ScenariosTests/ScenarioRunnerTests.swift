import Scenarios
import Testing
import Vocabulary

@Suite struct ScenarioRunnerTests {
  private func report(
    _ steps: String, on stage: FakeStage = FakeStage(["ann", "ben"])
  ) throws -> (report: ScenarioReport, stage: FakeStage) {
    let text = "peers: {ann: , ben: }\nsteps:\n" + steps
    let scenario = try ScenarioReader(file: "test.yaml").read(text)
    var stage = stage
    return (ScenarioRunner.run(scenario, on: &stage), stage)
  }

  @Test func `an expectation that comes true in time passes, and says after how long`() throws {
    let (report, _) = try report(
      """
      - {at: 0.5, ann: play, see: {all: playing, within: 0.3}}
      """)
    #expect(report.hasPassed)
    #expect(report.metCount == 1)
    #expect(report.entries.last?.event == .met("playing", after: .milliseconds(100)))
    #expect(report.duration == .milliseconds(600))
  }

  @Test func `an expectation that comes true too late fails, with what is seen instead`() throws {
    let (report, _) = try report(
      """
      - at: 0
        ann: play
        see: {ben: playing, within: 0.05}
      """)
    #expect(!report.hasPassed)
    #expect(
      report.entries.last?.event
        == .failed("playing", instead: "ben: nothing on, player stands at 0.000", line: 5))
  }

  @Test func `what has to last may begin anew while there is time`() throws {
    let steps = """
      - {at: 0, ann: play, see: {all: playing, for: 1, within: 2}}
      - {at: 0.6, ann: pause}
      - {at: 0.8, ann: play}
      """
    let (report, _) = try report(steps)
    #expect(report.hasPassed)
    #expect(report.entries.last?.event == .met("playing", after: .milliseconds(900)))
  }

  @Test func `what has to be so throughout is broken by its first gap`() throws {
    let steps = """
      - {at: 0, see: {all: not playing, throughout: 1}}
      - {at: 0.5, ann: play}
      """
    let (report, _) = try report(steps)
    #expect(!report.hasPassed)
    #expect(report.duration == .milliseconds(600))
  }

  @Test func `the server falls before anybody does anything`() throws {
    let (report, stage) = try report("- {at: 0.5, ann: play, server: [kill, start]}")
    #expect(
      stage.performed == ["server kill at 0.500", "server start at 0.500", "ann at 0.500"])
    #expect(
      report.entries.filter { $0.mark == ">" }.prefix(2).map(\.peers) == [["server"], ["server"]])
  }

  @Test func `what does not last until its time is up fails`() throws {
    let steps = """
      - at: 0
        ann: play
        see: {all: playing, for: 1}
      - at: 0.95
        ann: pause
      """
    let (report, _) = try report(steps)
    #expect(!report.hasPassed)
    #expect(report.duration == .milliseconds(1050))
  }

  @Test func `what has to last passes once it has lasted`() throws {
    let (report, _) = try report("- {at: 0, ann: play, see: {all: playing, for: 1}}")
    #expect(report.hasPassed)
    #expect(report.duration == .milliseconds(1100))
  }

  @Test func `a step behind another waits until what was expected has been seen`() throws {
    let steps = """
      - {at: 0, ann: play, see: {all: playing}}
      - {after: 0.2, ben: pause, see: {all: paused at 1}}
      """
    let (report, stage) = try report(steps)
    #expect(report.hasPassed)
    #expect(stage.performed == ["ann at 0.000", "ben at 0.300"])
  }

  @Test func `a step at a time does not wait for what is expected`() throws {
    let steps = """
      - {at: 0, ann: play, see: {all: paused}}
      - {at: 0.05, ben: pause}
      """
    let (report, stage) = try report(steps)
    #expect(report.hasPassed)
    #expect(stage.performed == ["ann at 0.000", "ben at 0.050"])
  }

  @Test func `it stops at the first failure`() throws {
    let steps = """
      - {at: 0, see: {all: playing, within: 0.1}}
      - {after: 0, ann: play}
      """
    let (report, stage) = try report(steps)
    #expect(!report.hasPassed)
    #expect(stage.performed.isEmpty)
  }

  @Test func `a stage that gives way fails the scenario`() throws {
    var stage = FakeStage(["ann", "ben"])
    stage.breaksAt = .milliseconds(40)
    let (report, _) = try report("- {at: 0, see: {all: playing}}", on: stage)
    #expect(report.entries.last?.event == .broke("the server died"))
    #expect(!report.hasPassed)
  }

  @Test func `those of whom the same is seen stand in one line`() throws {
    let (report, _) = try report("- {at: 0, ann: play, see: {all: playing}}")
    let playing = report.entries.filter { $0.event == .saw("playing") }
    #expect(playing.map(\.peers) == [["ann", "ben"]])
  }

  @Test func `players that run together are measured`() throws {
    var stage = FakeStage(["ann", "ben"])
    stage.move("ben", to: .seconds(0.03))
    let (report, _) = try report("- {at: 0, ann: play, see: {all: playing, for: 0.5}}", on: stage)
    #expect(report.spread?.median == .milliseconds(30))
    #expect(report.spread?.worst == .milliseconds(30))
  }
}
