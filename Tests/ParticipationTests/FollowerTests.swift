import Participation
import Playback
import Testing
import Vocabulary

/// One follower, input by input.
@Suite struct FollowerTests {
  let clock: ClockEstimate
  let duration = Duration.seconds(100)

  init() throws {
    // The group's clock and the process's are the same here.
    clock = ClockEstimate(
      try ClockSample(
        asked: HostTime(microseconds: 0), heard: Instant(microseconds: 0),
        answered: Instant(microseconds: 0), received: HostTime(microseconds: 0)))
  }

  func at(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }

  func instant(_ seconds: Double) -> Instant {
    Instant(microseconds: Int64(seconds * 1_000_000))
  }

  func position(_ seconds: Double) -> MediaTime { .seconds(seconds) }

  func timeline(_ seq: Int, _ phase: Timeline.Phase) -> Follower.Input {
    .timeline(Timeline(phase: phase, seq: seq, duration: duration), clock: clock)
  }

  func preparing(_ from: Double) -> Timeline.Phase {
    .preparing(StartBarrier(from: position(from), rate: .normal, due: nil, patience: nil))
  }

  func playing(_ from: Double, at moment: Double) -> Timeline.Phase {
    .playing(TimelineAnchor(mediaTime: position(from), at: instant(moment), rate: .normal))
  }

  let loaded = Follower.Input.player(
    .loaded(
      duration: .seconds(100), rates: .slowest ... .fastest, measurementNoise: .microseconds(100)))

  /// A follower that has loaded and rests at 10 s.
  func rested() -> Follower {
    var follower = Follower()
    _ = follower.handle(timeline(1, .paused(at: position(10))), at: at(1))
    _ = follower.handle(loaded, at: at(1))
    _ = follower.handle(.player(.seekFinished(at: position(10))), at: at(1.04))
    return follower
  }

  /// A follower that runs from 10 s since second 2, its echo heard.
  func running() -> Follower {
    var follower = rested()
    _ = follower.handle(timeline(2, playing(10, at: 2)), at: at(1.5))
    _ = follower.handle(.deadlineReached, at: at(2))
    _ = follower.handle(.player(.unpaused), at: at(2))
    return follower
  }

  /// Readings of a player on the line.
  func read(_ follower: inout Follower, from start: Double, to end: Double) {
    for tick in Int(start * 10)...Int(end * 10) {
      let moment = Double(tick) / 10
      _ = follower.handle(
        .player(.position(position(8 + moment), at: at(moment))), at: at(moment))
    }
  }

  @Test func `paused means one exact seek and then nothing`() {
    var follower = Follower()
    #expect(follower.handle(timeline(1, .paused(at: position(10))), at: at(1)) == [])
    #expect(follower.handle(loaded, at: at(1)) == [.player(.seek(to: position(10)))])
    #expect(follower.handle(.player(.seekFinished(at: position(10.02))), at: at(1.1)) == [])
    for tick in 0..<50 {
      let moment = at(1.2 + Double(tick) / 10)
      #expect(follower.handle(.player(.position(position(10.02), at: moment)), at: moment) == [])
      #expect(follower.handle(.clock(clock), at: moment) == [])
      #expect(follower.handle(.deadlineReached, at: moment) == [])
    }
    #expect(follower.nextDeadline == nil)
  }

  @Test func `ready is said once, for the barrier it answers, when the seek is over`() {
    var follower = rested()
    #expect(
      follower.handle(timeline(7, preparing(30)), at: at(2)) == [.player(.seek(to: position(30)))])
    #expect(
      follower.handle(.player(.seekFinished(at: position(30))), at: at(2.1))
        == [.report(.ready(seq: 7))])
    #expect(follower.handle(.clock(clock), at: at(2.2)) == [])
    #expect(
      follower.handle(timeline(8, preparing(30)), at: at(2.3)) == [.report(.ready(seq: 8))],
      "already there")
  }

  @Test func `an end that is far away is gone to, after a seek that is under way`() {
    var follower = rested()
    #expect(
      follower.handle(timeline(2, .ended(at: position(100))), at: at(2))
        == [.player(.seek(to: position(99.96)))])
    follower = rested()
    _ = follower.handle(timeline(2, .paused(at: position(50))), at: at(2))
    #expect(follower.handle(timeline(3, .ended(at: position(100))), at: at(2.01)) == [])
    #expect(
      follower.handle(.player(.seekFinished(at: position(50))), at: at(2.1))
        == [.player(.seek(to: position(99.96)))])
  }

  @Test func `a newer position during a seek is gone to once that is over`() {
    var follower = rested()
    _ = follower.handle(timeline(7, preparing(30)), at: at(2))
    #expect(follower.handle(timeline(8, preparing(50)), at: at(2.01)) == [])
    #expect(
      follower.handle(.player(.seekFinished(at: position(30))), at: at(2.1))
        == [.player(.seek(to: position(50)))])
    #expect(
      follower.handle(.player(.seekFinished(at: position(50))), at: at(2.2))
        == [.report(.ready(seq: 8))])
  }

  @Test func `it starts exactly at the anchor's instant`() {
    var follower = rested()
    #expect(follower.handle(timeline(2, playing(10, at: 2)), at: at(1.5)) == [])
    #expect(follower.nextDeadline == at(2))
    #expect(follower.handle(.deadlineReached, at: at(1.9)) == [], "a spurious wake-up")
    #expect(follower.handle(.deadlineReached, at: at(2)) == [.player(.play(rate: 1))])
  }

  @Test func `a seek that landed behind the target starts that much later`() {
    var follower = Follower()
    _ = follower.handle(timeline(1, .paused(at: position(10))), at: at(1))
    _ = follower.handle(loaded, at: at(1))
    _ = follower.handle(.player(.seekFinished(at: position(10.025))), at: at(1.04))
    _ = follower.handle(timeline(2, playing(10, at: 2)), at: at(1.5))
    #expect(follower.nextDeadline == at(2.025))
  }

  @Test func `an anchor long past is sought ahead of and waited for`() throws {
    var follower = Follower()
    _ = follower.handle(timeline(1, playing(10, at: 2)), at: at(30))
    #expect(follower.handle(loaded, at: at(30)) == [.player(.seek(to: position(38.12)))])
    #expect(follower.handle(.player(.seekFinished(at: position(38.1))), at: at(30.05)) == [])
    #expect(follower.nextDeadline == at(30.1))
    #expect(follower.handle(.deadlineReached, at: at(30.1)) == [.player(.play(rate: 1))])
  }

  @Test func `a seek that takes longer each time is tried four times, then trimmed`() {
    var follower = Follower()
    _ = follower.handle(timeline(1, playing(10, at: 2)), at: at(30))
    var outputs = follower.handle(loaded, at: at(30))
    var now = 30.0
    var seeks = 0
    while case .player(.seek(let target))? = outputs.last {
      seeks += 1
      now += Double(1 << (seeks - 1))
      outputs = follower.handle(.player(.seekFinished(at: target)), at: at(now))
    }
    #expect(seeks == 4)
    #expect(outputs.first == .player(.play(rate: 1)))
  }

  @Test func `after seeks that were slow, quick ones end in a wait, and not in more of them`() {
    var follower = rested()
    var now = 2.0
    for step in 2...6 {
      let target = position(Double(step) * 10)
      _ = follower.handle(timeline(step, .paused(at: target)), at: at(now))
      now += 1
      _ = follower.handle(.player(.seekFinished(at: target)), at: at(now))
    }
    var outputs = follower.handle(timeline(7, playing(10, at: now)), at: at(now))
    var seeks = 0
    for took in [2, 2.5] + [Double](repeating: 0.001, count: 30) {
      guard case .player(.seek(let target))? = outputs.last else { break }
      seeks += 1
      now += took
      outputs = follower.handle(.player(.seekFinished(at: target)), at: at(now))
    }
    #expect(seeks == 3)
    #expect(outputs == [], "it stands ahead of the group, and waits")
    #expect(follower.nextDeadline.map { $0 > at(now) && $0 < at(now + 5) } == true)
  }

  @Test func `an item that was not current for a while is followed again`() {
    var follower = running()
    #expect(follower.handle(.timeline(nil, clock: clock), at: at(3)) == [])
    #expect(follower.handle(timeline(2, playing(10, at: 2)), at: at(4)) == [])
    for tick in 40...60 {
      let moment = Double(tick) / 10
      let outputs = follower.handle(
        .player(.position(position(8.02 + moment), at: at(moment))), at: at(moment))
      if outputs.contains(.player(.setRate(0.98))) { return }
    }
    Issue.record("20 ms ahead and left alone")
  }

  @Test func `while suspended nothing is commanded and keys stay local`() {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    #expect(follower.handle(.suspended(true), at: at(5)) == [])
    #expect(follower.handle(.player(.paused), at: at(5.1)) == [])
    #expect(follower.handle(.player(.seeked(to: position(90))), at: at(5.2)) == [])
    #expect(follower.handle(.player(.seekFinished(at: position(90))), at: at(5.3)) == [])
    #expect(follower.handle(timeline(3, .paused(at: position(50))), at: at(6)) == [])
    #expect(
      follower.handle(.suspended(false), at: at(7)) == [.player(.seek(to: position(50)))])
  }

  @Test func `who missed the barrier reports when he can, which ends the server's suspension`() {
    var follower = rested()
    _ = follower.handle(timeline(7, preparing(30)), at: at(2))
    #expect(follower.handle(.suspended(true), at: at(5)) == [])
    #expect(follower.handle(timeline(8, playing(30, at: 5.1)), at: at(5)) == [])
    #expect(
      follower.handle(.player(.seekFinished(at: position(30))), at: at(6))
        == [.report(.ready(seq: 8))])
    guard case .player(.seek)? = follower.handle(.suspended(false), at: at(6.1)).first else {
      Issue.record("did not catch up")
      return
    }
  }

  @Test func `a stall at rest bothers nobody`() {
    var follower = rested()
    #expect(follower.handle(.player(.stalled), at: at(2)) == [])
    #expect(follower.handle(.player(.recovered), at: at(3)) == [])
  }

  @Test func `a stall before ready only delays ready`() {
    var follower = rested()
    _ = follower.handle(timeline(7, preparing(30)), at: at(2))
    #expect(follower.handle(.player(.stalled), at: at(2.05)) == [])
    #expect(follower.handle(.player(.seekFinished(at: position(30))), at: at(2.1)) == [])
    #expect(follower.handle(.player(.recovered), at: at(3)) == [.report(.ready(seq: 7))])
  }

  @Test func `the end is reported once and not caught up with`() {
    var follower = running()
    #expect(
      follower.handle(.player(.ended), at: at(92)) == [.player(.pause), .report(.ended(seq: 2))])
    #expect(follower.handle(.player(.paused), at: at(92)) == [])
    #expect(follower.handle(.clock(clock), at: at(93)) == [])
    #expect(follower.handle(timeline(3, .ended(at: position(100))), at: at(93)) == [])
    #expect(follower.nextDeadline == nil)
  }

  @Test func `a player that cannot play the item says so once`() {
    var follower = running()
    let failure = Follower.Input.player(.failed(reason: "no codec"))
    #expect(
      follower.handle(failure, at: at(3)) == [.suspend(.coordinatedPlaybackNotPossible)])
    #expect(follower.handle(failure, at: at(4)) == [])
    #expect(follower.handle(timeline(3, .paused(at: position(1))), at: at(5)) == [])
  }

  @Test func `a player that cannot keep up steps out and tries again`() {
    var follower = running()
    var outputs: [Follower.Output] = []
    // Its readings are ten seconds behind whatever is done about it.
    var now = 2.0
    while now < 70, !outputs.contains(.suspend(.coordinatedPlaybackNotPossible)) {
      now += 0.1
      if let deadline = follower.nextDeadline, deadline <= at(now) {
        outputs += follower.handle(.deadlineReached, at: deadline)
      }
      var more = follower.handle(.player(.position(position(now - 2), at: at(now))), at: at(now))
      for output in more {
        if case .player(.seek(let target)) = output {
          more += follower.handle(.player(.seekFinished(at: target)), at: at(now + 0.05))
        }
      }
      outputs += more
    }
    let seeks = outputs.filter { if case .player(.seek) = $0 { true } else { false } }
    #expect(seeks.count == 6)
    #expect(outputs.contains(.suspend(.coordinatedPlaybackNotPossible)))
    #expect(
      follower.handle(.deadlineReached, at: at(now + 30)).contains(.endSuspension))
  }

  @Test func `a change of rate ahead of time is taken up at its instant`() throws {
    var follower = running()
    read(&follower, from: 2.1, to: 5)
    let faster = try #require(Rate(1.5))
    let anchor = TimelineAnchor(mediaTime: position(13.3), at: instant(5.3), rate: faster)
    #expect(follower.handle(timeline(3, .playing(anchor)), at: at(5.05)) == [])
    #expect(follower.nextDeadline == at(5.3))
    #expect(follower.handle(.deadlineReached, at: at(5.3)) == [.player(.setRate(1.5))])
  }

  @Test func `a player whose sound comes out late takes a change of rate up that much earlier`()
    throws
  {
    var follower = rested()
    _ = follower.handle(.playerOffset(.milliseconds(180)), at: at(1.4))
    _ = follower.handle(timeline(2, playing(10, at: 2)), at: at(1.5))
    #expect(follower.nextDeadline == at(1.82))
    #expect(follower.handle(.deadlineReached, at: at(1.82)) == [.player(.play(rate: 1))])
    _ = follower.handle(.player(.unpaused), at: at(1.82))
    for moment in stride(from: 2.0, through: 5, by: 0.1) {
      _ = follower.handle(
        .player(.position(position(8.18 + moment), at: at(moment))), at: at(moment))
    }
    let faster = try #require(Rate(1.5))
    let anchor = TimelineAnchor(mediaTime: position(13.3), at: instant(5.3), rate: faster)
    #expect(follower.handle(timeline(3, .playing(anchor)), at: at(5.05)) == [])
    #expect(follower.nextDeadline == at(5.12))
    #expect(follower.handle(.deadlineReached, at: at(5.12)) == [.player(.setRate(1.5))])
  }

  @Test func `a seek that is never heard of again is asked for again`() {
    var follower = rested()
    _ = follower.handle(timeline(2, .paused(at: position(40))), at: at(2))
    #expect(follower.nextDeadline == at(12))
    #expect(
      follower.handle(.deadlineReached, at: at(12)) == [.player(.seek(to: position(40)))])
  }
}
