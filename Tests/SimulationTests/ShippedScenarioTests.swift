import Coordination
import Demonstrations
import Scenarios
import Signatures
import Simulation
import Testing
import Vocabulary

/// Every scenario that is shipped, on the real coordinator in memory with virtual time.
@Suite struct ShippedScenarioTests {
  // once-only, two-devices, busy-screen, video-message, bad-url, invitations, topics, in this order:
  // Proves, W1, W11, R-34, R-35, W3, K1, K7, K10, K16
  @Test(arguments: Demonstration.all.map(\.name), [1, 2, 3] as [UInt64])
  func `a shipped scenario passes in virtual time`(name: String, seed: UInt64) throws {
    let scenario = try #require(Demonstration.named(name)).scenario()
    var stage = MemoryStage(scenario, seed: seed)
    let report = ScenarioRunner.run(scenario, on: &stage)
    let hasPassed = report.hasPassed
    #expect(hasPassed, "\(report.text)")
  }

  private static let keys: AccessKeys = {
    var numbers = SplitMix64(seed: 5)
    return AccessKeys(InvitationKey(using: &numbers))
  }()

  @Test(arguments: Demonstration.all.map(\.name))
  func `a shipped scenario passes where people prove who they are by keys`(name: String) throws {
    let scenario = try #require(Demonstration.named(name)).scenario()
    var stage = MemoryStage(scenario, seed: 4, access: .keys(Self.keys))
    let report = ScenarioRunner.run(scenario, on: &stage)
    let hasPassed = report.hasPassed
    #expect(hasPassed, "\(report.text)")
  }

  @Test func `the same seed gives the same run, another one another`() throws {
    let scenario = try #require(Demonstration.named("stall-and-recovery")).scenario()
    let reports = ([7, 7, 8] as [UInt64]).map { seed in
      var stage = MemoryStage(scenario, seed: seed)
      return ScenarioRunner.run(scenario, on: &stage)
    }
    #expect(reports[0] == reports[1])
    #expect(reports[0] != reports[2])
  }
}
