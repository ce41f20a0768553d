import Participation
import Playback
import Testing
import Vocabulary

/// A person changes the speed at the player itself.
@Suite struct FollowerRateTests {
  private let clock: ClockEstimate

  init() throws {
    clock = ClockEstimate(
      try ClockSample(
        asked: HostTime(microseconds: 0), heard: Instant(microseconds: 0),
        answered: Instant(microseconds: 0), received: HostTime(microseconds: 0)))
  }

  private func at(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }

  private func playing(_ seq: Int, _ rate: Rate = .normal) -> Follower.Input {
    let start = Instant(microseconds: 2_000_000)
    let anchor = TimelineAnchor(mediaTime: .seconds(10), at: start, rate: rate)
    return .timeline(
      Timeline(phase: .playing(anchor), seq: seq, duration: .seconds(100)), clock: clock)
  }

  /// A follower that runs from 10 s since second 2, and reads that it is ahead by so much.
  private func running(ahead: Double = 0, until end: Double = 3) -> Follower {
    var follower = Follower()
    let resting = Timeline(
      phase: .paused(at: .seconds(10)), seq: 1, duration: .seconds(100))
    _ = follower.handle(.timeline(resting, clock: clock), at: at(1))
    _ = follower.handle(
      .player(
        .loaded(
          duration: .seconds(100), rates: .slowest ... .fastest,
          measurementNoise: .microseconds(100))),
      at: at(1))
    _ = follower.handle(.player(.seekFinished(at: .seconds(10))), at: at(1.04))
    _ = follower.handle(playing(2), at: at(1.5))
    _ = follower.handle(.deadlineReached, at: at(2))
    _ = follower.handle(.player(.unpaused), at: at(2))
    for moment in stride(from: 2.1, through: end, by: 0.1) {
      _ = follower.handle(
        .player(.position(.seconds(8 + moment + ahead), at: at(moment))), at: at(moment))
    }
    return follower
  }

  @Test func `a person's speed is an intent, and stays until the group answers`() throws {
    var follower = running()
    #expect(
      follower.handle(.player(.rateChanged(1.1)), at: at(3.05))
        == [.intent(.setRate(try #require(Rate(1.1))))])
    #expect(follower.handle(.player(.position(.seconds(11.2), at: at(3.2))), at: at(3.2)) == [])
    let answer = follower.handle(playing(3, try #require(Rate(1.1))), at: at(3.3))
    #expect(!answer.contains { if case .player(.setRate) = $0 { true } else { false } })
  }

  @Test func `a speed that the group does not take up is put back`() {
    var follower = running()
    _ = follower.handle(.player(.rateChanged(1.1)), at: at(3.05))
    #expect(follower.handle(playing(2), at: at(3.3)).contains(.player(.setRate(1))))
    var unheard = running()
    _ = unheard.handle(.player(.rateChanged(1.1)), at: at(3.05))
    // After three seconds at 1.1 it is too far ahead to be trimmed; starting again sets the rate.
    #expect(unheard.handle(.deadlineReached, at: at(6.1)).contains(.player(.pause)))
  }

  /// By keys that multiply, by the one for normal speed, and typed.
  @Test(arguments: [(1.1, 1.1), (0.9091, 0.91), (0.5, 0.5), (2, 2)])
  func `an own trim is no part of what a person wants`(key: Double, wanted: Double) throws {
    for ahead in [-0.004, 0.012, -0.3] {
      var follower = running(ahead: ahead, until: 2.6)
      let nudge = try #require(follower.nextDeadline)
      #expect(nudge > at(2.6), "a trim is on")
      let trim = ahead < -0.05 ? 1.05 : 1 - ahead
      let outputs = follower.handle(.player(.rateChanged(trim * key)), at: at(2.61))
      #expect(outputs == [.intent(.setRate(try #require(Rate(wanted))))])
    }
  }

  @Test func `normal speed at a trim is no wish at all, and the trim is begun anew`() {
    var follower = running(ahead: -0.02, until: 2.6)
    #expect(follower.handle(.player(.rateChanged(1)), at: at(2.61)) == [])
    var outputs: [Follower.Output] = []
    for moment in stride(from: 2.7, through: 8, by: 0.1) {
      outputs += follower.handle(
        .player(.position(.seconds(7.98 + moment), at: at(moment))), at: at(moment))
    }
    #expect(outputs.contains(.player(.setRate(1.02))))
  }

  @Test(arguments: [(8.0, Rate.fastest), (0.1, .slowest), (.infinity, .fastest)])
  func `a group goes no faster and no slower than it can`(factor: Double, rate: Rate) {
    var follower = running()
    #expect(
      follower.handle(.player(.rateChanged(factor)), at: at(3.05)) == [.intent(.setRate(rate))])
  }

  @Test(arguments: [0, -1, Double.nan])
  func `what is no speed is nothing`(factor: Double) {
    var follower = running()
    #expect(follower.handle(.player(.rateChanged(factor)), at: at(3.05)) == [])
  }

  @Test func `who has stepped out changes only the own speed`() {
    var follower = running()
    _ = follower.handle(.suspended(true), at: at(3))
    #expect(follower.handle(.player(.rateChanged(2)), at: at(3.1)) == [])
    let outputs = follower.handle(.suspended(false), at: at(3.2))
    #expect(outputs.contains(.player(.setRate(1))) || outputs.contains(.player(.pause)))
  }
}
