package import Vocabulary

/// What a device's clock on the wall showed at one moment, and so what it shows at any other.
///
/// Clocks on walls are put right, and hours saved in summer: whoever reads it tells the centre
/// again then.
package struct DeviceClock: Equatable, Sendable {
  /// What it showed.
  package var instant: Instant
  /// At which moment.
  package var time: HostTime
  /// How far it is ahead of UTC.
  package var offset: Duration

  /// A clock that showed that instant at that moment.
  package init(_ instant: Instant, at time: HostTime, offset: Duration = .zero) {
    self.instant = instant
    self.time = time
    self.offset = offset
  }

  /// What it shows at a moment.
  package func instant(at time: HostTime) -> Instant { instant + (time - self.time) }

  /// The moment at which it shows an instant.
  package func time(of instant: Instant) -> HostTime { time + (instant - self.instant) }
}
