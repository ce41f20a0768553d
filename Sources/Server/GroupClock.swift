import EventLoops
package import Vocabulary

/// The group's common time.
///
/// It is the wall clock as it was when the server started, and the monotonic clock since; so it
/// never steps while the server runs.
package struct GroupClock: Equatable, Sendable {
  private let startInstant: Instant
  private let startTime: HostTime

  /// A clock that shows `instant` at that moment.
  package init(showing instant: Instant, at time: HostTime) {
    startInstant = instant
    startTime = time
  }

  /// The group's time at a moment of this host.
  package func instant(at time: HostTime) -> Instant {
    startInstant + (time - startTime)
  }

  /// The moment of this host at an instant of the group's time.
  package func hostTime(of instant: Instant) -> HostTime {
    startTime + (instant - startInstant)
  }
}
