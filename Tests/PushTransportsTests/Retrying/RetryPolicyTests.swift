import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct RetryPolicyTests {
  private let start = StandingClock.start
  private let trouble = PushTrouble.busy(status: 503, reason: nil)

  private func outcome(
    attempt: Int = 1, asked: Duration? = nil, expires: Duration? = .seconds(1_000_000),
    seed: UInt64 = 1
  ) throws -> PushOutcome {
    let address = PushAddress.apns(try APNsDevice(token: "ab", topic: "org.example"))
    let message = push(to: address) {
      $0.attempt = attempt
      $0.expires = expires.map { start + $0 }
    }
    var chance = SplitMix64(seed: seed)
    return RetryPolicy().outcome(
      of: trouble, asked: asked, for: message, at: start, using: &chance)
  }

  private func wait(attempt: Int = 1, asked: Duration? = nil, seed: UInt64 = 1) throws -> Duration?
  {
    guard case .retry(let wait, trouble) = try outcome(attempt: attempt, asked: asked, seed: seed)
    else { return nil }
    return wait
  }

  @Test func `each wait is twice the one before, up to a quarter of an hour, and half is chance`() {
    var chance = SplitMix64(seed: 1)
    let policy = RetryPolicy()
    let longest: [Double] = [4, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    for (attempt, seconds) in longest.enumerated() {
      let waits = (0..<500).map { _ in policy.wait(after: attempt, using: &chance) }
      #expect(waits.allSatisfy { (.seconds(seconds / 2) ... .seconds(seconds)).contains($0) })
      #expect(waits.min().map { $0 < .seconds(seconds * 0.55) } == true)
      #expect(waits.max().map { $0 > .seconds(seconds * 0.95) } == true)
    }
    #expect(policy.wait(after: .max, using: &chance) <= policy.longest)
    #expect(policy.wait(after: .min, using: &chance) <= policy.first)
  }

  @Test func `the same seed gives the same wait`() throws {
    #expect(try outcome(seed: 7) == outcome(seed: 7))
    #expect(try outcome(seed: 7) != outcome(seed: 8))
  }

  @Test func `nobody comes before the time asked for, nor all at it`() throws {
    let waits = try (1...50).map { try #require(try wait(asked: .seconds(60), seed: $0)) }
    #expect(waits.allSatisfy { $0 > .seconds(60) && $0 <= .seconds(62) })
    #expect(Set(waits).count > 25)
    // The requested wait is shorter than the policy's own.
    let own = try #require(try wait(attempt: 9, asked: .seconds(1)))
    #expect(own >= .seconds(450))
  }

  @Test func `nobody waits for ever, whatever is asked for`() throws {
    let wait = try #require(try wait(asked: .seconds(Int32.max)))
    #expect(wait <= .seconds(24 * 3_600) + .seconds(2))
  }

  @Test func `a push that would come too late is given up at once`() throws {
    #expect(try outcome(expires: .seconds(1)) == .refused(.expired))
    #expect(try outcome(asked: .seconds(60), expires: .seconds(60)) == .refused(.expired))
    #expect(try outcome(expires: nil) == .refused(.expired))
  }

  @Test func `the last attempt is the last`() throws {
    #expect(try wait(attempt: 99) != nil)
    #expect(try outcome(attempt: 100) == .refused(.exhausted(trouble)))
    #expect(try outcome(attempt: 101) == .refused(.exhausted(trouble)))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a push outlasts an outage of a night`(seed: UInt64) {
    let policy = RetryPolicy()
    var chance = SplitMix64(seed: seed)
    let waits = (1..<policy.attempts).map { policy.wait(after: $0, using: &chance) }
    let total = waits.reduce(Duration.zero, +)
    #expect(total > .seconds(11 * 3_600))
  }

  @Test func `a service that names no time since which a device is gone says it of the attempt`()
    throws
  {
    let clock = StandingClock(wallClockError: .seconds(50))
    var attempts = PushAttempts(policy: RetryPolicy(), seed: 1, clocks: clock.clocks)
    let message = push(to: .apns(try APNsDevice(token: "ab", topic: "org.example")))
    let attempt = try attempts.start(message)
    clock.advance(by: .seconds(60))
    let unsaid = attempts.outcome(of: .forget(since: nil), for: message, since: attempt)
    #expect(unsaid == .forget(since: start))
    let said = attempts.outcome(
      of: .forget(since: start + .seconds(70)), for: message, since: attempt)
    #expect(said == .forget(since: start + .seconds(20)))
  }
}

@Suite struct RetryAfterTests {
  @Test(
    arguments: [
      ("0", .zero), ("120", .seconds(120)), ("99999999999999999999", .seconds(Int32.max)),
      // The current time is 20:15:00.
      ("Sat, 21 Nov 2026 20:15:30 GMT", .seconds(30)), ("Sat, 21 Nov 2026 20:14:30 GMT", .zero),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
    ] as [(String, Duration)])
  func `a number of seconds or a date says how long`(field: String, duration: Duration) {
    #expect(RetryAfter.duration(of: field, at: StandingClock.start) == duration)
  }

  @Test(arguments: [
    nil, "", "-1", "+1", "1.5", "soon", "２", "Sat, 21 Nov 2026 20:15:30",
    "21 Nov 2026 20:15:30 GMT",
    "Sat, 21 Foo 2026 20:15:30 GMT", "Sat, 31 Feb 2026 20:15:30 GMT", "Sat, 21 Nov 2026 20:15 GMT",
    "Saturday, 21-Nov-26 20:15:30 GMT",
  ])
  func `anything else says nothing`(field: String?) {
    #expect(RetryAfter.duration(of: field, at: StandingClock.start) == nil)
  }
}
