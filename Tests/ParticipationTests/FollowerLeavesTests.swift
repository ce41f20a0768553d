import Participation
import Playback
import Testing
import Vocabulary

/// When a follower steps out by itself, for an advertisement or for a speed.
@Suite struct FollowerLeavesTests {
  private let clock: ClockEstimate
  private let breaks: Interstitials

  init() throws {
    clock = ClockEstimate(
      try ClockSample(
        asked: HostTime(microseconds: 0), heard: Instant(microseconds: 0),
        answered: Instant(microseconds: 0), received: HostTime(microseconds: 0)))
    let range = InterstitialRange(start: .seconds(20), end: .seconds(30))
    breaks = try #require(Interstitials([range]))
  }

  private func at(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }

  private func timeline(
    _ seq: Int, _ phase: Timeline.Phase, rate: Rate = .normal
  ) -> Follower.Input {
    var timeline = Timeline(phase: phase, rate: rate, seq: seq, duration: .seconds(100))
    timeline.interstitials = breaks
    return .timeline(timeline, clock: clock)
  }

  private func playing(_ from: Double, at moment: Double, rate: Rate = .normal) -> Timeline.Phase {
    .playing(
      TimelineAnchor(
        mediaTime: .seconds(from), at: Instant(microseconds: Int64(moment * 1_000_000)),
        rate: rate))
  }

  /// A follower that runs from 15 s since second 2.
  private func running(rates: ClosedRange<Rate> = .slowest ... .fastest) -> Follower {
    var follower = Follower()
    _ = follower.handle(timeline(1, .paused(at: .seconds(15))), at: at(1))
    _ = follower.handle(
      .player(
        .loaded(
          duration: .seconds(100), rates: rates, measurementNoise: .microseconds(100))), at: at(1))
    _ = follower.handle(.player(.seekFinished(at: .seconds(15))), at: at(1.04))
    _ = follower.handle(timeline(2, playing(15, at: 2)), at: at(1.5))
    _ = follower.handle(.deadlineReached, at: at(2))
    _ = follower.handle(.player(.unpaused), at: at(2))
    return follower
  }

  /// Readings of a player that is off the line by so much; what came of each.
  private func read(
    _ follower: inout Follower, from start: Double, to end: Double, off: Double = 0
  ) -> [Follower.Output] {
    var outputs: [Follower.Output] = []
    for tick in Int(start * 10)...Int(end * 10) {
      let moment = Double(tick) / 10
      outputs += follower.handle(
        .player(.position(.seconds(13 + moment + off), at: at(moment))), at: at(moment))
    }
    return outputs.filter { if case .status = $0 { false } else { true } }
  }

  @Test func `in an advertisement of the item it steps out, and behind it back in`() {
    var follower = running()
    #expect(read(&follower, from: 2.1, to: 6.9) == [])
    #expect(read(&follower, from: 7.0, to: 7.1) == [.suspend(.playingInterstitial)])
    #expect(read(&follower, from: 7.2, to: 16.9) == [])
    #expect(read(&follower, from: 17, to: 17) == [.endSuspension])
    #expect(read(&follower, from: 17.1, to: 30) == [])
  }

  @Test func `nothing pulls at a player in an advertisement, and all does behind it`() {
    var follower = running()
    _ = read(&follower, from: 2.1, to: 7.1)
    #expect(read(&follower, from: 7.2, to: 16, off: -0.1) == [])
    #expect(follower.handle(timeline(3, .paused(at: .seconds(22))), at: at(9)) == [])
    #expect(follower.handle(timeline(4, playing(15, at: 2)), at: at(9.1)) == [])
    let outputs = read(&follower, from: 17.2, to: 20, off: -0.1)
    #expect(outputs.first == .endSuspension)
    #expect(outputs.contains { if case .correction = $0 { true } else { false } })
  }

  @Test func `a person who leaves an advertisement by a key is taken back to the group`() {
    var follower = running()
    _ = read(&follower, from: 2.1, to: 8)
    #expect(follower.handle(.player(.seeked(to: .seconds(50))), at: at(8.1)) == [])
    #expect(follower.handle(.player(.seekFinished(at: .seconds(50))), at: at(8.2)) == [])
    let outputs = follower.handle(
      .player(.position(.seconds(50.1), at: at(8.3))), at: at(8.3))
    #expect(outputs.contains(.endSuspension))
    #expect(outputs.contains(.player(.pause)))
  }

  @Test func `a pause inside an advertisement is the group's, and nobody steps out for it`() {
    var follower = running()
    _ = follower.handle(timeline(3, .paused(at: .seconds(20))), at: at(3))
    _ = follower.handle(.player(.seekFinished(at: .seconds(20))), at: at(3.1))
    #expect(
      follower.handle(.player(.position(.seconds(20), at: at(3.2))), at: at(3.2)) == [])
  }

  @Test func `an item that ends in an advertisement ends it, too`() {
    var follower = running()
    _ = read(&follower, from: 2.1, to: 8)
    #expect(
      follower.handle(.player(.ended), at: at(9))
        == [.player(.pause), .endSuspension, .report(.ended(seq: 2))])
  }

  @Test(arguments: [Rate.normal ... .normal, .slowest ... .normal])
  func `a player steps out while the group has a speed that it has not`(
    rates: ClosedRange<Rate>
  ) throws {
    let faster = try #require(Rate(1.5))
    var follower = running(rates: rates)
    let change = timeline(3, playing(16, at: 3, rate: faster), rate: faster)
    #expect(
      follower.handle(change, at: at(3)) == [.suspend(.coordinatedPlaybackNotPossible)])
    #expect(follower.handle(change, at: at(4)) == [])
    #expect(follower.handle(.deadlineReached, at: at(100)) == [])
    let outputs = follower.handle(timeline(4, playing(17.5, at: 4)), at: at(4.1))
    #expect(outputs.first == .endSuspension)
    #expect(outputs.count > 1)
  }

  @Test(arguments: [(Rate.fastest, true), (.normal, false)])
  func `a player is not trimmed beyond its speeds`(fastest: Rate, isTrimmed: Bool) {
    var follower = running(rates: .slowest...fastest)
    let outputs = read(&follower, from: 2.1, to: 6, off: -0.06)
    let isFaster = outputs.contains {
      if case .player(.setRate(let factor)) = $0 { factor > 1 } else { false }
    }
    #expect(isFaster == isTrimmed)
  }

  @Test func `a player goes along at a speed that it has`() throws {
    let faster = try #require(Rate(1.5))
    var follower = running(rates: .normal...faster)
    let change = timeline(3, playing(16, at: 3, rate: faster), rate: faster)
    #expect(!follower.handle(change, at: at(3)).contains(.suspend(.coordinatedPlaybackNotPossible)))
  }
}
