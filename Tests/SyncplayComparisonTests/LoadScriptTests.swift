import LoopTesting
import ProgramTesting
import SyncplayComparison
import Testing

@Suite(.serialized) struct LoadScriptTests {
  @Test func `plain connections come, stay and are counted`() throws {
    try TestLoop.run { test in
      let stage = try SyncplayStage(.reference(), on: test.loop)
      defer { stage.close() }
      let script = LoadScript(
        on: stage, people: 8, loop: test.loop, isInterrupted: { false }, tell: { _ in })
      let figures = try script.perform()
      #expect(figures.count == 6)
      let perState = try #require(figures.first { $0.name == "processor time of a State" })
      #expect(perState.values.count == 1)
      #expect(try #require(perState.value) > 0)
    }
  }

  @Test func `a yardstick tells States to all, and says nothing of joins`() throws {
    try TestLoop.run { test in
      let path = try Program.path(of: "bare-states")
      let stage = try SyncplayStage(.bare(executable: path), on: test.loop)
      defer { stage.close() }
      let script = LoadScript(
        on: stage, people: 40, loop: test.loop, isInterrupted: { false }, tell: { _ in })
      let figures = try script.performOnYardstick()
      #expect(figures.map(\.name) == ["processor time of a State", "memory of an idle client"])
      #expect(try #require(figures.first?.value) > 0)
    }
  }

  @Test func `who is interrupted stops at once`() throws {
    try TestLoop.run { test in
      let stage = try SyncplayStage(.reference(), on: test.loop)
      defer { stage.close() }
      let script = LoadScript(
        on: stage, people: 8, loop: test.loop, isInterrupted: { true }, tell: { _ in })
      #expect(throws: ComparisonFailure.interrupted) { try script.perform() }
    }
  }
}
