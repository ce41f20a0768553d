package import Vocabulary

/// A fixed point of a running item: it shows `mediaTime` at `at` and runs at `rate` from then on.
///
/// Before `at` the item stands still or, if a running item's rate changes, runs at `approach`. So
/// everyone changes the rate at the same instant, and no position jumps.
package struct TimelineAnchor: Equatable, Sendable {
  package var mediaTime: MediaTime
  package var at: Instant
  package var rate: Rate
  /// The rate up to `at`; `nil` if the item stands still until then.
  package var approach: Rate?

  /// Makes an anchor; `at` is in the group's time.
  package init(mediaTime: MediaTime, at: Instant, rate: Rate, approach: Rate? = nil) {
    self.mediaTime = mediaTime
    self.at = at
    self.rate = rate
    self.approach = approach
  }

  /// The position at an instant.
  package func position(at now: Instant) -> MediaTime {
    if now >= at { return mediaTime + rate.media(in: now - at) }
    guard let approach else { return mediaTime }
    return mediaTime - approach.media(in: at - now)
  }

  /// The instant at which a position is shown.
  package func instant(of position: MediaTime) -> Instant {
    if position < mediaTime, let approach { return at - approach.time(for: mediaTime - position) }
    return at + rate.time(for: position - mediaTime)
  }

  /// The same item with another rate from `change` on, without a jump.
  ///
  /// A rate change or start after `now` is replaced: a moving item keeps its present rate until
  /// `change`, and one that stands still starts no earlier than before.
  package func changing(to rate: Rate, at change: Instant, now: Instant) -> TimelineAnchor {
    guard let moving = now < at ? approach : self.rate else {
      return TimelineAnchor(mediaTime: mediaTime, at: max(change, at), rate: rate)
    }
    let position = position(at: now) + moving.media(in: change - now)
    return TimelineAnchor(mediaTime: position, at: change, rate: rate, approach: moving)
  }
}
