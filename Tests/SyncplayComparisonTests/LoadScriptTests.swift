import EventLoops
import LoopTesting
import ProgramTesting
import SyncplayComparison
import Testing

@Suite(.serialized) struct LoadScriptTests {
  private func script(
    _ stage: SyncplayStage, people: Int, on loop: EventLoop, isInterrupted: Bool = false,
    _ tell: @escaping (String) -> Void = { _ in }
  ) -> LoadScript {
    LoadScript(
      on: stage, people: people, loop: loop, isInterrupted: { isInterrupted }, tell: tell)
  }

  @Test func `plain connections come, stay and are counted, a yardstick's beside them`() throws {
    try TestLoop.run { test in
      let path = try Program.path(of: "bare-states")
      var told: [String] = []
      func measure() throws -> [[ComparisonFigure]] {
        told = []
        let stages = [
          try SyncplayStage(.reference(), on: test.loop),
          try SyncplayStage(.bare(executable: path), on: test.loop),
        ]
        defer { for stage in stages { stage.close() } }
        return try LoadScript.perform([
          script(stages[0], people: 8, on: test.loop) { told.append("reference: \($0)") },
          script(stages[1], people: 40, on: test.loop) { told.append("yardstick: \($0)") },
        ])
      }
      func silences(in figures: [[ComparisonFigure]]) -> Double? {
        figures[0].first { $0.name == "over 2 s without a State" }?.value
      }
      var figures = try measure()
      // Everybody goes without a State while a busy machine gives the server no time.
      for _ in 1...3 where silences(in: figures) != 0 { figures = try measure() }
      #expect(figures.map(\.count) == [6, 2])
      // Its own crowd's, of each server: nobody's are taken for another's.
      #expect(told.last == "yardstick: 60 in one room, idle")
      #expect(told.contains("reference: 28 in one room, idle"))
      for values in figures {
        let perState = try #require(values.first { $0.name == "processor time of a State" })
        #expect(perState.values.count == 1)
        #expect(try #require(perState.value) > 0)
      }
      // In the same seconds: the first crowd waited for the second one, and nobody went without.
      #expect(silences(in: figures) == 0)
      // A yardstick says nothing of joins.
      #expect(
        figures[1].map(\.name) == ["processor time of a State", "memory of an idle client"])
    }
  }

  @Test func `who is interrupted stops at once`() throws {
    try TestLoop.run { test in
      let stage = try SyncplayStage(.reference(), on: test.loop)
      defer { stage.close() }
      #expect(throws: ComparisonFailure.interrupted) {
        try LoadScript.perform([
          script(stage, people: 8, on: test.loop, isInterrupted: true)
        ])
      }
    }
  }
}
