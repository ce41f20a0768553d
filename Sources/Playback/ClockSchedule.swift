package import Vocabulary

/// When to ask the server for the time: every 75 ms at first, then less and less often, until every
/// two seconds.
///
/// Each pause is a 24th of the time since the first ping, so that whatever moment one looks at, the
/// last stretch of that length holds equally many samples: the clocks' skew makes older ones worth
/// less. Behind ±10 ms of jitter one way the estimate is wrong by 0.9 ms after 1.3 s, 0.3 ms after
/// five, and 0.7 ms at most from then on (simulated, root mean square, clocks 30 ppm apart; a burst
/// of sixteen, sixteen more within eight seconds, and one every four seconds left 0.9, 0.8 and 1.7).
/// It takes 24 pings in the first two seconds and 80 in the next 46; the last pace costs under 120
/// bytes a second.
package struct ClockSchedule: Equatable, Sendable {
  /// The shortest pause: more than a common network's jitter, so that no ping has to wait for the
  /// one before.
  package static let shortestPause = Duration.milliseconds(75)
  /// The longest pause, well within the five seconds that a heartbeat may take.
  package static let longestPause = Duration.seconds(2)
  /// What part of the time since the first ping a pause is.
  package static let pausesPerAge = 24

  /// When the next ping is due.
  package private(set) var nextPing: HostTime
  private var begun: HostTime

  /// A schedule that begins at once.
  package init(from now: HostTime) {
    nextPing = now
    begun = now
  }

  /// Notes that a ping left; pings missed by a late wake-up are not made up for.
  package mutating func pinged(at now: HostTime) {
    let pause = (now - begun) / Self.pausesPerAge
    nextPing = now + min(max(pause, Self.shortestPause), Self.longestPause)
  }

  /// Begins anew: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
