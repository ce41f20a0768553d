import Testing
import Vocabulary

@Suite struct RateLimitTests {
  private static let interval = Duration.seconds(10)
  private let now = Instant(microseconds: 0)

  private func limit(sources: Int = 1_024) -> RateLimit<String> {
    RateLimit(burst: 5, refilledIn: Self.interval * 5, sources: sources)
  }

  @Test func `guesses come back with time, for each source alone`() {
    var limit = limit()
    for _ in 0..<5 {
      let isFree = limit.take(by: "a", at: now)
      #expect(isFree)
    }
    let later = now + Self.interval
    let guesses: [(String, Instant, Bool)] = [
      ("a", now, false), ("b", now, true), ("a", later, true), ("a", later, false),
    ]
    for (source, instant, isFree) in guesses {
      let taken = limit.take(by: source, at: instant)
      #expect(taken == isFree)
    }
  }

  @Test func `who guesses on and on waits no longer than for one guess`() {
    var limit = limit()
    for _ in 0..<100 { limit.note("a", at: now) }
    #expect(limit.wait(for: "a", at: now) == Self.interval)
    #expect(limit.wait(for: "a", at: now + Self.interval) == nil)
  }

  @Test func `whoever guesses from many sources takes no more memory`() {
    var limit = limit()
    for number in 0..<3_000 {
      _ = limit.take(by: "\(number)", at: Instant(microseconds: Int64(number)))
      #expect(limit.count <= 1_024)
    }
  }

  @Test func `who has the whole allowance again takes no memory`() {
    var limit = limit()
    for number in 0..<500 {
      limit.note("\(number)", at: now + Self.interval * number)
      #expect(limit.count <= 4)
    }
  }

  @Test func `who has guessed most is remembered longest`() {
    var limit = limit(sources: 8)
    for _ in 0..<5 { limit.note("worst", at: now) }
    for number in 0..<100 { limit.note("\(number)", at: now) }
    #expect(limit.wait(for: "worst", at: now) != nil)
  }

  // MARK: Costs

  private func costs(sources: Int = 1_024) -> RateLimit<String> {
    RateLimit(burst: 4_000, refilledIn: .seconds(4), sources: sources)
  }

  @Test func `an allowance comes back with time, for each source alone`() {
    var limit = costs()
    limit.note("a", cost: 3_000, at: now)
    #expect(limit.wait(for: "a", cost: 1_000, at: now) == nil)
    #expect(limit.wait(for: "a", cost: 1_500, at: now) == .milliseconds(500))
    #expect(limit.wait(for: "a", cost: 1_500, at: now + .milliseconds(500)) == nil)
    #expect(limit.wait(for: "b", cost: 4_000, at: now) == nil)
  }

  @Test func `what costs more than all there is takes all there is`() {
    var limit = costs()
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now) == nil)
    limit.note("a", cost: 1_000_000, at: now)
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now) == .seconds(4))
    #expect(limit.wait(for: "a", cost: 1_000_000, at: now + .seconds(4)) == nil)
  }

  @Test func `what did not arise is given back`() {
    var limit = costs()
    limit.note("a", cost: 3_000, at: now)
    limit.note("a", cost: 1_000, at: now)
    limit.giveBack(1_000, to: "a", at: now)
    #expect(limit.wait(for: "a", cost: 1_000, at: now) == nil)
    limit.giveBack(3_000, to: "a", at: now)
    #expect(limit.count == 0)
  }

  @Test func `many sources take no more memory than the bound`() {
    var limit = costs(sources: 16)
    for number in 0..<1_000 { limit.note("\(number)", cost: 4_000, at: now) }
    #expect(limit.count <= 16)
  }
}
