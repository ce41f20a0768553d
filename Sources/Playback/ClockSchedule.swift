package import Vocabulary

/// When to ask the server for the time: eight times within the first second, then every four.
///
/// The burst gives a usable estimate within a second of joining; one ping every four seconds keeps
/// a skew of 200 ppm below a millisecond between two samples, at under 60 bytes a second.
package struct ClockSchedule: Equatable, Sendable {
  /// Pings in a burst.
  package static let burst = 8
  /// The time between two pings of a burst.
  package static let burstInterval = Duration.milliseconds(125)
  /// The time between two pings after the burst.
  package static let interval = Duration.seconds(4)

  /// When the next ping is due.
  package private(set) var nextPing: HostTime
  private var remainingBurst = ClockSchedule.burst

  /// A schedule whose burst begins at once.
  package init(from now: HostTime) {
    nextPing = now
  }

  /// Notes that a ping left; pings missed by a late wake-up are not made up for.
  package mutating func pinged(at now: HostTime) {
    remainingBurst = max(0, remainingBurst - 1)
    nextPing = now + (remainingBurst > 0 ? Self.burstInterval : Self.interval)
  }

  /// Begins a new burst: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
