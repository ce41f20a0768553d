import Playback
public import Vocabulary

/// The group's common time, which is the same for everyone: for an app's own things that are to
/// happen together.
///
/// A snapshot of what the client knew when asked. It stays right to a few milliseconds for minutes;
/// ask for another one now and then.
public struct GroupClock: Sendable {
  private let estimate: ClockEstimate
  private let host: HostTime
  private let moment: ContinuousClock.Instant

  init(_ estimate: ClockEstimate, at host: HostTime) {
    self.estimate = estimate
    self.host = host
    moment = .now
  }

  /// The group's time now.
  public func now() -> Instant { instant(at: .now) }

  /// The group's time at a moment of this device.
  public func instant(at moment: ContinuousClock.Instant) -> Instant {
    estimate.instant(at: host + (moment - self.moment))
  }

  /// The moment of this device at which it is that time in the group.
  public func hostInstant(for instant: Instant) -> ContinuousClock.Instant {
    moment + (estimate.hostTime(of: instant) - host)
  }

  /// How far from the truth these can be.
  public var uncertainty: Duration { estimate.uncertainty }
}
