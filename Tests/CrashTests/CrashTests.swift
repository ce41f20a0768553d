import DatabaseTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import Vocabulary

/// Kills the real server under load at random points and restarts it.
///
/// Everything it acknowledged must exist exactly once, and all peers must continue where they were.
@Suite struct CrashTests {
  private static let serving = [
    "--messages-per-second", "1000000", "--message-burst", "1000000", "--named-places", "3",
  ]

  @Test(arguments: [("process", 24), ("power", 6)])
  func `what was acknowledged outlives the server, whenever it is killed`(
    durability: String, kills: Int
  ) throws {
    let seed = Self.seed
    let directory = try ScratchFolder()
    let journal = ["--journal", directory.journal, "--durability", durability]
    try kill(kills, servingWith: journal, seed: seed)
  }

  /// What happens besides the deaths.
  enum Trouble: CaseIterable {
    case none
    /// Another server takes over from a dead or frozen one.
    case standby
    /// The same, and the database's server dies, ends or freezes, too.
    case standbyAndFaults
    /// The same, and the database's server freezes, and then dies and is replaced by its own standby.
    case standbyAndPromotion
    /// Two further servers take people in; one of them takes over, and they die or freeze, too.
    case fronts
    /// The same, and the database's server dies, ends or freezes, too.
    case frontsAndFaults
  }

  @Test(arguments: Trouble.allCases)
  func `what was acknowledged outlives the server, whose journal is in PostgreSQL`(
    _ trouble: Trouble
  ) throws {
    let seed = Self.seed
    let hasFronts = trouble == .fronts || trouble == .frontsAndFaults
    var surroundings = Surroundings(
      hasStandby: trouble != .none && !hasFronts, hasFronts: hasFronts)
    // The server's secrets lie in the user's data directory, which is the test's own.
    let folder = try ScratchFolder()
    surroundings.wrapper = ["env", "XDG_DATA_HOME=\(folder.path)"]
    let database = try Self.database(under: trouble, &surroundings, seed: seed)
    try TestLoop.run { test in
      let migration = try Program.run(["journal", "migrate", "--journal", database], on: test)
      #expect(migration.ending == .exited(code: 0), "\(migration.errorOutput)")
    }
    try kill(12, servingWith: ["--journal", database], in: surroundings, seed: seed)
    try TestLoop.run { test in
      let check = try Program.run(["journal", "verify", "--journal", database], on: test)
      #expect(check.ending == .exited(code: 0), "seed \(seed): \(check.output)")
    }
  }

  /// A database, and what happens to its server.
  private static func database(
    under trouble: Trouble, _ surroundings: inout Surroundings, seed: UInt64
  ) throws -> String {
    guard [.standbyAndFaults, .standbyAndPromotion, .frontsAndFaults].contains(trouble) else {
      return try DatabaseServer.shared().makeDatabase()
    }
    let server = try DatabaseServer()
    surroundings.database = server
    if trouble == .standbyAndPromotion {
      try server.command(.standby)
      surroundings.faults = [(.freeze, .thaw), (.freeze, .thaw), (.kill, .promote)]
      return server.addressWithStandby(of: "postgres")
    }
    var chance = SplitMix64(seed: seed)
    let faults: [DatabaseFault] = [(.kill, .start), (.stop, .start), (.freeze, .thaw)]
    surroundings.faults = (0..<12).compactMap { _ in faults.randomElement(using: &chance) }
    return try server.makeDatabase()
  }

  /// A new seed for each run; MATINEE_CRASH_SEED repeats an earlier run.
  private static var seed: UInt64 {
    let chosen = ProcessInfo.processInfo.environment["MATINEE_CRASH_SEED"].flatMap { UInt64($0) }
    return chosen ?? UInt64.random(in: 0..<1_000_000)
  }

  private func kill(
    _ kills: Int, servingWith journal: [String], in surroundings: Surroundings = Surroundings(),
    seed: UInt64
  ) throws {
    try TestLoop.run { test in
      let run = CrashRun(journal + Self.serving, in: surroundings, seed: seed, on: test)
      do {
        try run.perform(kills: kills)
      } catch {
        Issue.record("seed \(seed): \(error) after \(run.kills) deaths")
      }
      let violations = run.ledger.violations
      #expect(violations.isEmpty, "seed \(seed):\n\(violations.prefix(12).joined(separator: "\n"))")
      // A load with too few crashes and acknowledgements would prove nothing.
      #expect(run.kills >= kills, "seed \(seed)")
      #expect(run.takeovers == (surroundings.takesOver ? run.kills : 0), "seed \(seed)")
      #expect((run.frontFaults > 0) == surroundings.hasFronts, "seed \(seed)")
      let isDrained = surroundings.hasFronts && surroundings.database == nil
      #expect((run.drains > 0) == isDrained, "seed \(seed)")
      #expect(run.ledger.acknowledgementCount > 10 * kills, "seed \(seed)")
      #expect(
        run.spectators.allSatisfy { $0.arrivals > 0 && $0.eventCount > kills }, "seed \(seed)")
    }
  }
}
