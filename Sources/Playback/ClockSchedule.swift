package import Vocabulary

/// When to ask the server for the time: sixteen times within the first second, then every second
/// for a while, then every four.
///
/// The burst gives an estimate before anyone can press play: with sixteen samples chance leaves a
/// line with ±10 ms of jitter an error of about a millisecond. A ping a second while the skew is
/// not known yet keeps the window of samples fresh; later one every four seconds keeps a skew of
/// 200 ppm below a millisecond between two samples, at under 60 bytes a second.
package struct ClockSchedule: Equatable, Sendable {
  /// Pings in a burst: as many as ``ClockEstimate/window`` holds.
  package static let burst = 16
  /// The time between two pings of a burst.
  package static let burstInterval = Duration.milliseconds(60)
  /// Pings after the burst that follow each other quickly.
  package static let settling = 20
  /// The time between two of those.
  package static let settlingInterval = Duration.seconds(1)
  /// The time between two pings from then on.
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
    sent = min(sent + 1, Self.burst + Self.settling)
    nextPing =
      switch sent {
      case ..<Self.burst: now + Self.burstInterval
      case ..<(Self.burst + Self.settling): now + Self.settlingInterval
      default: now + Self.interval
      }
  }

  /// Begins a new burst: after a reconnect, or when the estimate had to start over.
  package mutating func restart(at now: HostTime) {
    self = ClockSchedule(from: now)
  }
}
