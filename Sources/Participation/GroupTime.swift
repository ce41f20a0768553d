import Playback
import Vocabulary
import Wire

/// What a client knows of the group's time, by its pings over the current connection and earlier ones.
struct GroupTime: Equatable, Sendable {
  /// The estimate; `nil` until the first pong.
  private(set) var estimate: ClockEstimate?
  private var schedule = ClockSchedule(from: HostTime(microseconds: 0))
  private var roundTrips = RoundTrips()
  /// Whether the person was told that the clock is poor.
  private var isPoor = false

  /// What a pong has changed.
  enum Change: Equatable, Sendable {
    case began
    case improved(ClockEstimate)
    /// Whether the connection is too slow to be exactly together.
    case judged(isPoor: Bool)
  }

  /// When the next ping is due while the client is online.
  var nextPing: HostTime { schedule.nextPing }

  /// Pings often again, over a new connection.
  mutating func restart(at now: HostTime) { schedule.restart(at: now) }

  /// Notes that a ping is sent, and makes it.
  mutating func ping(at now: HostTime) -> Ping {
    schedule.pinged(at: now)
    return Ping(sent: now, roundTrip: roundTrips.slow)
  }

  /// Takes a pong; one with timestamps that no network can produce is ignored.
  mutating func hear(_ pong: Pong, at now: HostTime) -> [Change] {
    do {
      let sample = try ClockSample(
        asked: pong.sent, heard: pong.heard, answered: pong.answered, received: now)
      roundTrips.note(sample.roundTrip)
      guard var estimate else {
        estimate = ClockEstimate(sample)
        return [.began]
      }
      if estimate.add(sample) == .restarted { schedule.restart(at: now) }
      self.estimate = estimate
      return [.improved(estimate)] + judge(estimate, at: now)
    } catch {
      return []
    }
  }

  private mutating func judge(_ estimate: ClockEstimate, at now: HostTime) -> [Change] {
    let isPoor = isPoor ? !estimate.isGood : estimate.isPoor
    guard schedule.isSettled(at: now), isPoor != self.isPoor else { return [] }
    self.isPoor = isPoor
    return [.judged(isPoor: isPoor)]
  }
}

/// The recent round-trip times of a client's pings.
private struct RoundTrips: Equatable, Sendable {
  /// The number of round trips kept: 40 s at the longest ping interval of 2 s.
  ///
  /// This is enough for a percentile and short enough to forget an outage.
  private static let window = 20

  private var latest: [Duration] = []

  mutating func note(_ roundTrip: Duration) {
    latest.append(roundTrip)
    if latest.count > Self.window { latest.removeFirst() }
  }

  /// The 95th percentile, from which the server sets the lead of a common start; `nil` before the
  /// first pong.
  var slow: Duration? {
    guard !latest.isEmpty else { return nil }
    let rank = (latest.count * 95 + 99) / 100
    return latest.sorted()[rank - 1]
  }
}
