import Participation
import Playback
import Testing
import Vocabulary

/// Any inputs in any order: nothing traps, nothing spins, nothing grows, and it finds back.
@Suite struct FollowerPropertyTests {
  private func timeline(_ seq: Int, _ now: HostTime, _ noise: inout SplitMix64) -> Timeline {
    let position = MediaTime(
      microseconds: Int64.random(in: -1_000_000...110_000_000, using: &noise))
    let moment = Instant(
      microseconds: now.microseconds + Int64.random(in: -9_000_000...900_000, using: &noise))
    let rate = [Rate.normal, .fastest, .slowest].randomElement(using: &noise) ?? .normal
    let phases: [Timeline.Phase] = [
      .paused(at: position), .ended(at: position),
      .preparing(StartBarrier(from: position, rate: rate, due: nil, patience: nil)),
      .playing(TimelineAnchor(mediaTime: position, at: moment, rate: rate)),
    ]
    return Timeline(
      phase: phases.randomElement(using: &noise) ?? phases[0], seq: seq,
      duration: Bool.random(using: &noise) ? .seconds(100) : nil)
  }

  private func event(_ now: HostTime, _ noise: inout SplitMix64) -> PlayerEvent {
    let position = MediaTime(microseconds: Int64.random(in: 0...100_000_000, using: &noise))
    switch Int.random(in: 0..<17, using: &noise) {
    case 0:
      return .loaded(duration: .seconds(100), rates: .slowest ... .fastest, measurementNoise: .zero)
    case 1: return .paused
    case 2: return .unpaused
    case 3: return .seeked(to: position)
    case 4, 5, 6: return .seekFinished(at: position)
    case 7: return .stalled
    case 8, 9: return .recovered
    case 10: return .ended
    case 11: return .rateChanged(Double.random(in: -1...9, using: &noise))
    default: return .position(position, at: now)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `every deadline leads to a later one, and no input to more than a few outputs`(
    seed: UInt64
  ) throws {
    var noise = SplitMix64(seed: seed)
    let sample = try ClockSample(
      asked: HostTime(microseconds: 0), heard: Instant(microseconds: 0),
      answered: Instant(microseconds: 0), received: HostTime(microseconds: 0))
    let clock = ClockEstimate(sample)
    var follower = Follower()
    var now = HostTime(microseconds: 10_000_000)
    for step in 1...400 {
      now = now + .microseconds(Int64.random(in: 0...400_000, using: &noise))
      let input: Follower.Input =
        switch Int.random(in: 0..<13, using: &noise) {
        case 0: .timeline(timeline(step, now, &noise), clock: clock)
        case 1: .suspended(Bool.random(using: &noise))
        case 2: .clock(clock)
        case 3: .timeline(nil, clock: clock)
        case 4: .deadlineReached
        case 5: .reapply
        default: .player(event(now, &noise))
        }
      #expect(follower.handle(input, at: now).count <= 6)
      // A deadline that is met must go away or move on, else the shell's timer spins.
      for _ in 0..<8 {
        guard let deadline = follower.nextDeadline, deadline <= now else { break }
        _ = follower.handle(.deadlineReached, at: now)
      }
      if let deadline = follower.nextDeadline { #expect(deadline > now) }
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `after any mishap a sound player is back with the group`(seed: UInt64) {
    var noise = SplitMix64(seed: seed)
    var world = FollowingWorld(seed: seed)
    world.join(delay: .milliseconds(10), jitter: .milliseconds(3), skew: 50)
    world.run(for: .seconds(2))
    world.play()
    world.run(for: .seconds(2))
    for _ in 0..<12 {
      let host = world.members[0].host(world.now)
      let position = MediaTime(microseconds: Int64.random(in: 0...90_000_000, using: &noise))
      switch Int.random(in: 0..<7, using: &noise) {
      case 0: world.members[0].player.stall(for: .milliseconds(700), at: host)
      case 1: world.members[0].player.press(.pause, at: host)
      case 2: world.members[0].player.press(.play, at: host)
      case 3: world.members[0].player.press(.seek(to: position), at: host)
      case 4: world.members[0].player.press(.rate(1.5), at: host)
      case 5: world.feed(.reapply, to: 0)
      default: world.feed(.suspended(Bool.random(using: &noise)), to: 0)
      }
      world.run(for: .milliseconds(Int64.random(in: 5...1500, using: &noise)))
    }
    world.feed(.suspended(false), to: 0)
    world.run(for: .seconds(12))
    let error = world.members[0].position(at: world.now) - world.expected
    #expect(error.magnitude <= .milliseconds(6), "\(error)")
    #expect(!world.members[0].player.isPaused)
    #expect(world.members[0].player.rate == 1)
  }
}
