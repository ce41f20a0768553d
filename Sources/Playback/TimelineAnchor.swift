package import Vocabulary

/// A running item: at `at` it shows `mediaTime`, and from there it runs at `rate`.
package struct TimelineAnchor: Equatable, Sendable {
  package var mediaTime: MediaTime
  package var at: Instant
  package var rate: Rate

  /// An item that shows `mediaTime` at that instant of the group's time.
  package init(mediaTime: MediaTime, at: Instant, rate: Rate) {
    self.mediaTime = mediaTime
    self.at = at
    self.rate = rate
  }

  /// The place at an instant; before the anchor it is still the anchor's place.
  package func position(at now: Instant) -> MediaTime {
    now <= at ? mediaTime : mediaTime + rate.media(in: now - at)
  }

  /// The instant at which a place is shown.
  package func instant(of place: MediaTime) -> Instant {
    at + rate.time(for: place - mediaTime)
  }
}
