import Participation
import Playback
import Testing
import Vocabulary

/// A server and members with clocks, networks and players of their own, in true time.
///
/// The server is a sketch: a barrier that waits for every attached member, and nothing more.
struct FollowingWorld {
  struct Member {
    var follower: Follower
    var player: SimulatedPlayer
    var schedule: ClockSchedule
    var clock: ClockEstimate?
    /// One way, at least.
    var delay: Duration
    var jitter: Duration
    /// The process clock's gain on true time, in parts per million, and its start.
    var skew: Double
    var clockStart: Duration
    var timeline: Timeline?
    var nextPoll: Duration
    var outputs: [(at: Duration, output: Follower.Output)] = []

    func host(_ now: Duration) -> HostTime {
      HostTime(microseconds: 0) + clockStart + now * (1 + skew / 1_000_000)
    }

    func trueTime(_ host: HostTime) -> Duration {
      (host - HostTime(microseconds: 0) - clockStart) * (1 / (1 + skew / 1_000_000))
    }

    func position(at now: Duration) -> MediaTime { player.position(at: host(now)) }
  }

  enum Message {
    case sample(member: Int, ClockSample)
    case timeline(member: Int, Timeline)
    case ready(member: Int, seq: Int)
  }

  var members: [Member] = []
  var now = Duration.zero
  var timeline = Timeline(phase: .paused(at: .zero), seq: 1, duration: .seconds(3600))
  var lead = Duration.milliseconds(250)
  private var ready: Set<Int> = []
  private var mail: [(at: Duration, message: Message)] = []
  private var noise: SplitMix64
  static let epoch = Instant(microseconds: 1_700_000_000_000_000)

  init(seed: UInt64) {
    noise = SplitMix64(seed: seed)
  }

  @discardableResult mutating func join(
    delay: Duration, jitter: Duration, skew: Double, playerOffset: Duration = .zero,
    traits: PlayerTraits = PlayerTraits()
  ) -> Int {
    let clockStart = Duration.seconds(1000 * (members.count + 1))
    let host = HostTime(microseconds: 0) + clockStart + now * (1 + skew / 1_000_000)
    members.append(
      Member(
        follower: Follower(playerOffset: playerOffset),
        player: SimulatedPlayer(traits, seed: noise.next(), at: host),
        schedule: ClockSchedule(from: host), delay: delay, jitter: jitter, skew: skew,
        clockStart: clockStart, nextPoll: now + delay / 3))
    tell(members.count - 1)
    return members.count - 1
  }

  // MARK: The server

  mutating func set(_ phase: Timeline.Phase) {
    timeline.phase = phase
    timeline.seq += 1
    ready = []
    for member in members.indices { tell(member) }
  }

  mutating func play() {
    prepare(from: timeline.position(at: instant), rate: timeline.rate)
  }

  mutating func pause() { set(.paused(at: timeline.position(at: instant))) }

  mutating func prepare(from position: MediaTime, rate: Rate) {
    set(.preparing(StartBarrier(from: position, rate: rate, due: nil, patience: nil)))
  }

  mutating func change(rate: Rate) {
    let start = instant + lead
    set(.playing(TimelineAnchor(mediaTime: timeline.position(at: start), at: start, rate: rate)))
  }

  var instant: Instant { Self.epoch + now }
  var expected: MediaTime { timeline.position(at: instant) }

  private mutating func tell(_ member: Int) {
    mail.append((now + delay(of: member), .timeline(member: member, timeline)))
  }

  private mutating func hearReady(member: Int, seq: Int) {
    guard case .preparing(let barrier) = timeline.phase, seq == timeline.seq else { return }
    ready.insert(member)
    guard ready.count == members.count else { return }
    let anchor = TimelineAnchor(mediaTime: barrier.from, at: instant + lead, rate: barrier.rate)
    set(.playing(anchor))
  }

  private mutating func delay(of member: Int) -> Duration {
    members[member].delay + noise.uniform(below: members[member].jitter)
  }

  // MARK: Time

  /// Runs on, calling `observe` every `step` of true time.
  mutating func run(
    for duration: Duration, every step: Duration = .milliseconds(20),
    observe: (FollowingWorld) -> Void = { _ in }
  ) {
    let end = now + duration
    var nextLook = now + step
    while now < end {
      now = max(now, min(nextEvent(), nextLook, end))
      deliverMail()
      for member in members.indices { turn(member) }
      if nextLook <= now {
        observe(self)
        nextLook = now + step
      }
    }
  }

  private func nextEvent() -> Duration {
    var next = mail.map(\.at).min() ?? .seconds(1_000_000)
    for member in members {
      let deadlines = [
        member.player.nextDeadline, member.follower.nextDeadline, member.schedule.nextPing,
      ]
      // A process clock ticks in microseconds: look a tick later, as a timer would.
      for deadline in deadlines.compactMap({ $0 }) {
        next = min(next, member.trueTime(deadline) + .microseconds(2))
      }
      next = min(next, member.nextPoll)
    }
    return next
  }

  private mutating func deliverMail() {
    let due = mail.filter { $0.at <= now }.sorted { $0.at < $1.at }
    mail.removeAll { $0.at <= now }
    for (_, message) in due {
      switch message {
      case .ready(let member, let seq): hearReady(member: member, seq: seq)
      case .timeline(let member, let timeline):
        guard timeline.seq > members[member].timeline?.seq ?? 0 else { continue }
        members[member].timeline = timeline
        guard let clock = members[member].clock else { continue }
        feed(.timeline(timeline, clock: clock), to: member)
      case .sample(let member, let sample):
        let isFirst = members[member].clock == nil
        if members[member].clock?.add(sample) == nil {
          members[member].clock = ClockEstimate(sample)
        }
        guard let clock = members[member].clock else { continue }
        if isFirst, let timeline = members[member].timeline {
          feed(.timeline(timeline, clock: clock), to: member)
        } else {
          feed(.clock(clock), to: member)
        }
      }
    }
  }

  private mutating func turn(_ member: Int) {
    let host = members[member].host(now)
    drain(member, at: host)
    if let deadline = members[member].follower.nextDeadline, deadline <= host {
      feed(.deadlineReached, to: member)
    }
    if members[member].schedule.nextPing <= host { ping(member, at: host) }
    if members[member].nextPoll <= now {
      members[member].nextPoll = now + .milliseconds(100)
      let reading = members[member].player.reading(at: host)
      feed(.player(reading), to: member)
    }
  }

  private mutating func drain(_ member: Int, at host: HostTime) {
    for event in members[member].player.advance(to: host) { feed(.player(event), to: member) }
  }

  private mutating func ping(_ member: Int, at host: HostTime) {
    members[member].schedule.pinged(at: host)
    let there = delay(of: member)
    let back = delay(of: member)
    let heard = instant + there
    let arrival = now + there + back
    do {
      let sample = try ClockSample(
        asked: host, heard: heard, answered: heard, received: members[member].host(arrival))
      mail.append((arrival, .sample(member: member, sample)))
    } catch {
      Issue.record("the world made an impossible sample: \(error)")
    }
  }

  mutating func feed(_ input: Follower.Input, to member: Int) {
    let host = members[member].host(now)
    for output in members[member].follower.handle(input, at: host) {
      members[member].outputs.append((now, output))
      switch output {
      case .player(let command):
        members[member].player.handle(command, at: host)
        drain(member, at: host)
      case .report(.ready(let seq)):
        mail.append((now + delay(of: member), .ready(member: member, seq: seq)))
      default: break
      }
    }
  }

  // MARK: What is true

  /// The largest difference between any two members' true positions.
  var spread: Duration {
    let positions = members.map { $0.position(at: now) }
    guard let first = positions.min(), let last = positions.max() else { return .zero }
    return last - first
  }
}
