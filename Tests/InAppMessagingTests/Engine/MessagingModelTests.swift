import InAppMessaging
import Naming
import Testing
import Vocabulary

/// Random people with random days, against what must hold whatever happens.
@Suite struct MessagingModelTests {
  static let seeds = (0..<40).map { UInt64($0) } + [UInt64.random(in: 1_000..<1_000_000)]

  // Proves
  @Test(arguments: seeds)
  func `whatever happens, every delivery ends once, and caps and distances hold`(seed: UInt64)
    throws
  {
    var world = try RandomWorld(seed: seed)
    for _ in 0..<600 { try world.step() }
    try world.finish()
    let problems = world.problems.prefix(3).joined(separator: "; ")
    #expect(world.problems.isEmpty, "seed \(seed): \(problems)")
    #expect(world.deliveries.count > 5, "seed \(seed) did nothing")
  }

  @Test func `over all seeds every way to end was taken`() throws {
    var ends: Set<String> = []
    for seed in Self.seeds.prefix(20) {
      var world = try RandomWorld(seed: seed)
      for _ in 0..<600 { try world.step() }
      ends.formUnion(world.ends)
    }
    let expected: Set = [
      "presented", "refused", "control", "lapsed noClient", "lapsed watchdog", "lapsed stopped",
      "lapsed outranked", "lapsed sessionEnded", "lapsed collectionOff",
    ]
    #expect(expected.subtracting(ends) == [])
  }
}
