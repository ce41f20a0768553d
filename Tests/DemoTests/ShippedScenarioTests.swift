import Demonstrations
import EventLoops
import LoopTesting
import ProgramTesting
import Scenarios
import Stages
import Testing

/// Every scenario that is shipped, against the built server over real TCP.
@Suite struct ShippedScenarioTests {
  /// Real players need a video, which the program itself makes: see below.
  private static let names = Demonstration.all.map(\.name).filter { $0 != "together" }

  @Test(arguments: names)
  func `a shipped scenario passes over TCP, with simulated players`(name: String) throws {
    var scenario = try #require(Demonstration.named(name)).scenario()
    for place in scenario.peers.indices { scenario.peers[place].player = .simulated }
    try TestLoop.run { test in
      var stage = try TCPStage(scenario, serving: try Program.path, seed: 1, on: test.loop)
      defer { stage.close() }
      let report = ScenarioRunner.run(scenario, on: &stage)
      let hasPassed = report.hasPassed
      #expect(hasPassed, "\(report.text)")
    }
  }

  /// What everyone sees; how far apart the players are depends on the machine's load.
  @Suite(.serialized) struct WithRealPlayers {
    @Test(arguments: ["together", "crash", "video-message"])
    func `a shipped scenario passes with three real players`(name: String) throws {
      try TestLoop.run { test in
        let program = try Program.run(["demo", name], on: test)
        #expect(program.ending == .exited(code: 0), "\(program.output) \(program.errorOutput)")
      }
    }
  }
}
