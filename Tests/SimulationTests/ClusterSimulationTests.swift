import ClusterTesting
import Simulation
import Testing
import Vocabulary

/// Several servers, their database and whole clients, in virtual time.
///
/// `scripts/simulate` plays longer evenings.
@Suite struct ClusterSimulationTests {
  private static let seeds: Range<UInt64> = 1..<5

  @Test(arguments: seeds)
  func `whatever fails, nothing is lost, doubled or different, and everybody plays on`(seed: UInt64)
  {
    let script = ClusterEvening.script(of: 60, seed: seed)
    let evening = ClusterEvening.played(seed: seed, script)
    #expect(evening.flaws == [], "seed \(seed)")
    // An evening on which nothing happens proves nothing.
    #expect(evening.acknowledgedCount > 0 && evening.eventCount > 2_000, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func `a server that dies, freezes or is drained is replaced in time`(seed: UInt64) {
    let faults: [(String, ClosedRange<Duration>, (Int) -> ClusterFault)] = [
      ("killed", .seconds(1) ... .seconds(4), { .kill($0, for: .seconds(8)) }),
      ("frozen", .seconds(1) ... .seconds(5), { .freeze($0, for: .seconds(8)) }),
      // It gives the journal back once its people have gone, one by one.
      ("drained", .milliseconds(200) ... .milliseconds(1_500), { .drain($0) }),
    ]
    for (name, limits, fault) in faults {
      var evening = ClusterEvening(seed: seed)
      let time = evening.timeWithoutDecider(after: fault)
      #expect(limits.contains(time), "\(name): \(time), seed \(seed)")
      evening.calmDown()
      #expect(evening.flaws == [], "\(name), seed \(seed)")
    }
  }

  @Test func `the same seed is the same evening`() {
    let traces = (0..<2).map { _ in
      var lines: [String] = []
      let script = ClusterEvening.script(of: 20, seed: 9)
      // Behind its beginning a line may list a set, in any order.
      _ = ClusterEvening.played(seed: 9, script) { lines.append(String($0.prefix(50))) }
      return lines
    }
    #expect(traces[0] == traces[1] && traces[0].count > 500)
  }

  @Test func `a script is shortened to what is wrong in it`() {
    let script = ClusterEvening.script(of: 40, seed: 3)
    let wanted = [script[7], script[30]]
    let shortest = ClusterStep.shortest(script) { steps in
      wanted.allSatisfy { steps.contains($0) }
    }
    #expect(shortest == wanted)
  }
}
