import EventLoops
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// The comparison as a part of the built benchmarks.
@Suite struct ComparisonProgramTests {
  private static func bench(_ arguments: [String], on test: TestLoop) throws -> Program {
    try Program.run(arguments, of: try Program.path(of: "matinee-bench"), on: test)
  }

  @Test(arguments: [
    ["--only", "syncplay", "--crowd", "1"],
    ["--only", "syncplay", "--delay", "20000", "--delay", "10"],
    ["--only", "syncplay", "--delay", "10"], ["--only", "syncplay", "--rounds", "101"],
    ["--only", "codec", "--joins", "2"], ["--rounds", "2"],
  ])
  func `what the comparison cannot do is refused`(arguments: [String]) throws {
    try TestLoop.run { test in
      let program = try Self.bench(arguments, on: test)
      #expect(program.ending == .exited(code: 64))
    }
  }

  @Test func `the comparison's figures stand in one line of JSON`() throws {
    try TestLoop.run { test in
      let program = try Self.bench(
        ["--only", "syncplay", "--rounds", "0", "--crowd", "8", "--json"], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      #expect(program.lines.count == 1)
      let line = try #require(program.lines.last)
      let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let sections = try #require(report?["sections"] as? [[String: Any]])
      #expect(sections.count == 1)
      let figures = try #require(sections.first?["figures"] as? [[String: Any]])
      let name = "processor time of a State"
      let state = try #require(figures.first { $0["name"] as? String == name })
      for server in ["reference", "matinee", "bareLibuv"] {
        let told = try #require(state[server] as? [String: Any])
        #expect((told["rounds"] as? [Double])?.count == 1)
        #expect((told["value"] as? Double).map { $0 > 0 } == true)
      }
      #expect(state["met"] is Bool)
    }
  }

  @Test func `a table names every server`() throws {
    try TestLoop.run { test in
      let program = try Self.bench(
        ["--only", "syncplay", "--rounds", "0", "--crowd", "2"], on: test)
      #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      let heading = try #require(program.lines.first { $0.contains("MEASURED") })
      for server in ["SYNCPLAY-SERVER", "MATINEE", "BARE LIBUV", "TARGET"] {
        #expect(heading.contains(server))
      }
      #expect(program.output.contains("2 plain connections in one room"))
    }
  }
}
