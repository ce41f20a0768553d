import Fuzzing
import Testing

/// What `scripts/fuzz` runs, without libFuzzer.
@Suite struct FuzzingTests {
  @Test(arguments: FuzzTargets.all.map { $0.name })
  func `the claim holds for each seed, and for half of it`(
    name: String
  ) throws {
    for type in FuzzTargets.all where type.name == name {
      let target = try type.init()
      let seeds = try type.seeds()
      #expect(seeds.count >= 4)
      for seed in seeds {
        try target.check(seed)
        try target.check(Array(seed.prefix(seed.count / 2)))
      }
    }
  }

  @Test func `a target has a name of its own, and a claim`() {
    let names = Set(FuzzTargets.all.map { $0.name })
    #expect(names.count == FuzzTargets.all.count && names.count > 10)
    #expect(FuzzTargets.all.allSatisfy { !$0.claim.isEmpty })
  }
}
