import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing

/// Kills the real server under load at random points and restarts it.
///
/// Everything it acknowledged must exist exactly once, and all peers must continue where they were.
@Suite struct CrashTests {
  private static let serving = ["--messages-per-second", "1000000", "--message-burst", "1000000"]

  @Test(arguments: [("process", 24), ("power", 6)])
  func `what was acknowledged outlives the server, whenever it is killed`(
    durability: String, kills: Int
  ) throws {
    // A new seed for each run; MATINEE_CRASH_SEED repeats an earlier run.
    let chosen = ProcessInfo.processInfo.environment["MATINEE_CRASH_SEED"].flatMap { UInt64($0) }
    let seed = chosen ?? UInt64.random(in: 0..<1_000_000)
    let directory = try ScratchFolder()
    try TestLoop.run { test in
      let run = CrashRun(
        ["--journal", directory.journal, "--durability", durability]
          + Self.serving, seed: seed, on: test)
      do {
        try run.perform(kills: kills)
      } catch {
        Issue.record("seed \(seed): \(error) after \(run.kills) deaths")
      }
      let violations = run.ledger.violations
      #expect(violations.isEmpty, "seed \(seed):\n\(violations.prefix(12).joined(separator: "\n"))")
      #expect(run.ledger.snapshotResumptions == 0, "seed \(seed): somebody missed something")
      // A load with too few crashes and acknowledgements would prove nothing.
      #expect(run.kills >= kills, "seed \(seed)")
      #expect(run.ledger.acknowledgementCount > 10 * kills, "seed \(seed)")
    }
  }
}
