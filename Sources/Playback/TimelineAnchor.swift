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
    if place < mediaTime, let approach { return at - approach.time(for: mediaTime - place) }
    return at + rate.time(for: place - mediaTime)
  }

  /// The same item with another rate from that instant on, and no jump before or after it.
  ///
  /// A change or start still ahead of `now` is taken over: what moves now moves on unchanged until
  /// the new instant, and what stands still now starts no earlier than it was going to.
  package func changing(to rate: Rate, at change: Instant, now: Instant) -> TimelineAnchor {
    guard let moving = now < at ? approach : self.rate else {
      return TimelineAnchor(mediaTime: mediaTime, at: max(change, at), rate: rate)
    }
    let place = position(at: now) + moving.media(in: change - now)
    return TimelineAnchor(mediaTime: place, at: change, rate: rate, approach: moving)
  }
}
