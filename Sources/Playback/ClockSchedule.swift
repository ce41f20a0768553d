package import Vocabulary

/// When to ping the server for its time: every 75 ms at first, then less often, down to every two
/// seconds.
///
/// Each pause is 1/24 of the time since the first ping, because the clocks' skew makes older
/// samples worth less: at any age, the latest half of that time holds the same number of samples.
/// With ±10 ms of jitter each way, the estimate's error is 0.9 ms after 1.3 s, 0.3 ms after 5 s,
/// and at most 0.7 ms from then on (simulated, root mean square, clocks 30 ppm apart). A burst of
/// sixteen pings, sixteen more within eight seconds and then one every four seconds left 0.9, 0.8
/// and 1.7 ms. The schedule takes 24 pings in the first two seconds and 80 in the next 46; its
/// final pace costs less than 120 bytes a second.
package struct ClockSchedule: Equatable, Sendable {
  /// The shortest pause: longer than a usual network's jitter, so that a ping is not delayed by the
  /// one before it.
  package static let shortestPause = Duration.milliseconds(75)
  /// The longest pause: well within the five seconds between two heartbeats.
  package static let longestPause = Duration.seconds(2)
  /// The time since the first ping, divided by this, is the pause.
  package static let pausesPerAge = 24

  /// After this time the first 24 pings are answered, unless the network is very slow.
  package static let settlingTime = Duration.seconds(2)

  /// When the next ping is due.
  package private(set) var nextPing: HostTime
  private var begun: HostTime

  /// Makes a schedule whose first ping is due at once.
  package init(from now: HostTime) {
    nextPing = now
    begun = now
  }

  /// Notes that a ping was sent; pings that a late wake-up missed are skipped.
  package mutating func pinged(at now: HostTime) {
    let pause = (now - begun) / Self.pausesPerAge
    nextPing = now + min(max(pause, Self.shortestPause), Self.longestPause)
  }

  /// Whether what the pings have found is good enough to be judged.
  package func isSettled(at now: HostTime) -> Bool { now - begun >= Self.settlingTime }

  /// Starts over: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
