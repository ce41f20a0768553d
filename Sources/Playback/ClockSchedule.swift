package import Vocabulary

/// When to ask the server for the time: sixteen times within the first 1.2 seconds, sixteen times
/// more within the next eight, then every four seconds.
///
/// The burst gives a usable estimate by the time of a first start. Behind ±10 ms of jitter one way
/// the error of n samples falls with 1/n; so the burst leaves 1.2 ms of it, and the slower round
/// half of that (measured: a burst of eight left up to 9 ms between three players). One ping every
/// four seconds keeps a skew of 200 ppm below a millisecond between two samples, at under 60 bytes
/// a second.
package struct ClockSchedule: Equatable, Sendable {
  /// Pings in a burst.
  package static let burst = 16
  /// The time between two pings of a burst: more than a common network's jitter, so that no ping
  /// has to wait for the one before.
  package static let burstInterval = Duration.milliseconds(75)
  /// Pings of the round after the burst.
  package static let refinement = 16
  /// The time between two pings of that round.
  package static let refinementInterval = Duration.milliseconds(500)
  /// The time between two pings after both.
  package static let interval = Duration.seconds(4)

  /// When the next ping is due.
  package private(set) var nextPing: HostTime
  private var sent = 0

  /// A schedule whose burst begins at once.
  package init(from now: HostTime) {
    nextPing = now
  }

  /// Notes that a ping left; pings missed by a late wake-up are not made up for.
  package mutating func pinged(at now: HostTime) {
    sent = min(sent + 1, Self.burst + Self.refinement)
    nextPing = now + pause
  }

  private var pause: Duration {
    if sent < Self.burst { return Self.burstInterval }
    return sent < Self.burst + Self.refinement ? Self.refinementInterval : Self.interval
  }

  /// Begins a new burst: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
