import Testing
import Vocabulary

@Suite struct CostLimitTests {
  private let now = Instant(microseconds: 0)

  private func limit(sources: Int = 1_024) -> CostLimit<String> {
    CostLimit(perSecond: 1_000, burst: 4_000, sources: sources)
  }

  @Test func `an allowance comes back with time, for each source alone`() {
    var limit = limit()
    limit.take(3_000, from: "a", at: now)
    #expect(limit.wait(for: "a", cost: 1_000, at: now) == nil)
    #expect(limit.wait(for: "a", cost: 1_500, at: now) == .milliseconds(500))
    #expect(limit.wait(for: "a", cost: 1_500, at: now + .milliseconds(500)) == nil)
    #expect(limit.wait(for: "b", cost: 4_000, at: now) == nil)
  }

  @Test func `what costs more than all there is takes all there is`() {
    var limit = limit()
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now) == nil)
    limit.take(1_000_000, from: "a", at: now)
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now) == .seconds(4))
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now + .seconds(4)) == nil)
  }

  @Test func `what did not arise is given back`() {
    var limit = limit()
    limit.take(3_000, from: "a", at: now)
    limit.take(1_000, from: "a", at: now)
    limit.giveBack(1_000, to: "a", at: now)
    #expect(limit.wait(for: "a", cost: 1_000, at: now) == nil)
    limit.giveBack(3_000, to: "a", at: now)
    #expect(limit.count == 0)
  }

  @Test func `many sources take no more memory than the bound`() {
    var limit = limit(sources: 16)
    for number in 0..<1_000 { limit.take(4_000, from: "\(number)", at: now) }
    #expect(limit.count <= 16)
  }
}
