package import Vocabulary

/// A running item: at `at` it shows `mediaTime`, and from there it runs at `rate`.
///
/// Until `at` it stands still, or, where the rate of a running item changes, approaches at the old
/// rate: so everyone changes speed at the same instant, and no position ever jumps.
package struct TimelineAnchor: Equatable, Sendable {
  package var mediaTime: MediaTime
  package var at: Instant
  package var rate: Rate
  /// The rate up to `at`; `nil` if the item stands still until then.
  package var approach: Rate?

  /// An item that shows `mediaTime` at that instant of the group's time.
  package init(mediaTime: MediaTime, at: Instant, rate: Rate, approach: Rate? = nil) {
    self.mediaTime = mediaTime
    self.at = at
    self.rate = rate
    self.approach = approach
  }

  /// The place at an instant.
  package func position(at now: Instant) -> MediaTime {
    if now >= at { return mediaTime + rate.media(in: now - at) }
    guard let approach else { return mediaTime }
    return mediaTime - approach.media(in: at - now)
  }

  /// The instant at which a place is shown.
  package func instant(of place: MediaTime) -> Instant {
    at + rate.time(for: place - mediaTime)
  }
}
