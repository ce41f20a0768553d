import Fuzzing
import Testing

/// What `scripts/fuzz` runs, without libFuzzer.
@Suite struct FuzzingTests {
  @Test(arguments: FuzzTargets.all.map { $0.name })
  func `the claim holds for each seed, and for what is left of it when it is cut off`(
    name: String
  ) throws {
    for type in FuzzTargets.all where type.name == name {
      let target = try type.init()
      let seeds = try type.seeds()
      #expect(seeds.count >= 4)
      for seed in seeds {
        for count in Set([seed.count, seed.count - 1, seed.count / 2, 0]) where count >= 0 {
          try target.check(Array(seed.prefix(count)))
        }
      }
    }
  }

  @Test func `a target has a name of its own, and a claim`() {
    let names = Set(FuzzTargets.all.map { $0.name })
    #expect(names.count == FuzzTargets.all.count && names.count > 10)
    #expect(FuzzTargets.all.allSatisfy { !$0.claim.isEmpty })
  }
}
