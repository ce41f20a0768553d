package import Vocabulary

/// The state of one media item for everybody who has it current.
///
/// The server alone sets it and never derives it from clients' positions: (seq, item, mediaTime,
/// at, rate), with position = mediaTime + (now − at) · rate.
package struct Timeline: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// Everyone shows the frame at this position.
    case paused(at: MediaTime)
    /// Someone pressed play; the item starts when all are ready or the barrier's patience ends.
    case preparing(StartBarrier)
    /// The item runs from the anchor, which may lie slightly in the future.
    case playing(TimelineAnchor)
    /// The item reached its end.
    case ended(at: MediaTime)
  }

  package var phase: Phase
  /// The rate the item runs at, or will run at when it starts again.
  package var rate: Rate
  /// The number of the event that set `phase`: current ready reports name it, stale ones do not.
  package var seq: Int
  /// The item's duration once a player reported it; `nil` for live content.
  package var duration: Duration?
  /// The durations that participants reported and that are not believed.
  package var doubts: SortedMap<ParticipantID, Duration> = [:]
  /// The advertisements stitched into the item.
  package var interstitials = Interstitials()
  /// The seekable range of live content; `nil` if it is unknown or the duration is known.
  package var seekWindow: ToldSeekWindow?
  /// Until when the timeline is kept while nobody has the item current; `nil` while somebody has.
  package var keptUntil: Instant?

  /// Whether the next report of a duration is believed at once.
  ///
  /// Somebody who reports a duration of live content doubts that it is live.
  package var awaitsDuration: Bool { duration == nil && seekWindow == nil }

  /// Durations that differ by no more than this are equal: containers and players round
  /// differently.
  ///
  /// So a shorter duration counts as none: an item that repeats would end by the server's clock
  /// many times a second, with events for everyone.
  package static let lengthTolerance = Duration.seconds(1)

  /// Makes a timeline whose phase the event with this number set.
  package init(phase: Phase, rate: Rate = .normal, seq: Int, duration: Duration? = nil) {
    self.phase = phase
    self.rate = rate
    self.seq = seq
    self.duration = duration
  }

  /// The position everyone should be at, clamped to the item if its duration is known.
  package func position(at now: Instant) -> MediaTime {
    switch phase {
    case .paused(let position), .ended(let position): clamped(position)
    case .preparing(let barrier): clamped(barrier.from)
    case .playing(let anchor): clamped(anchor.position(at: now))
    }
  }

  /// The position inside the item that is closest to this one.
  package func clamped(_ position: MediaTime) -> MediaTime {
    min(max(position, .zero), lastPosition)
  }

  /// The position inside the item and its seek window that is closest to this one.
  package func reachable(_ position: MediaTime, at now: Instant) -> MediaTime {
    let inside = clamped(position)
    return seekWindow?.window(at: now).clamped(inside) ?? inside
  }

  /// The position a seek ends at: inside the item, and at the start of an advertisement instead of
  /// inside it, so that nobody skips what others have to watch.
  package func landing(_ position: MediaTime, at now: Instant) -> MediaTime {
    let inside = reachable(position, at: now)
    return interstitials.range(at: inside).map { reachable($0.start, at: now) } ?? inside
  }

  /// Sets the item's duration.
  ///
  /// A position beyond the end moves to the end for good, so that a later correction of the
  /// duration does not make it jump.
  mutating func learn(_ length: Duration) {
    duration = length
    doubts = [:]
    seekWindow = nil
    switch phase {
    case .paused(let position): phase = .paused(at: clamped(position))
    case .ended(let position): phase = .ended(at: clamped(position))
    case .preparing(var barrier):
      barrier.from = clamped(barrier.from)
      phase = .preparing(barrier)
    case .playing: break  // The decision that follows ends it.
    }
  }

  /// The item's end, or the largest position if its duration is unknown.
  var lastPosition: MediaTime {
    duration.map { .zero + $0 } ?? MediaTime(microseconds: .max)
  }

  /// When the item reaches its end; `nil` unless it is playing and its duration is known.
  package var end: Instant? {
    guard case .playing(let anchor) = phase, let duration else { return nil }
    return anchor.instant(of: .zero + duration)
  }
}

/// A start that waits until everyone is prepared, so that all begin together.
///
/// It always ends: with the last ready report; at `due`, when those who are not ready get
/// suspended; or at `patience`, if the policy waits for their suspensions.
package struct StartBarrier: Equatable, Sendable {
  /// The position everyone starts from.
  package var from: MediaTime
  /// The rate everyone starts at.
  package var rate: Rate
  /// When those who are not ready count as stalled; `nil` while nobody is attached.
  package var due: Instant?
  /// When the group stops waiting for suspended participants, or for the device to which the last
  /// participant handed off; `nil` while nobody is attached or expected.
  package var patience: Instant?

  package init(from: MediaTime, rate: Rate, due: Instant?, patience: Instant?) {
    self.from = from
    self.rate = rate
    self.due = due
    self.patience = patience
  }

  /// Whether nobody is attached, so that the item stands still until the first one attaches.
  package var isFrozen: Bool { due == nil }

  /// Whether the item stands still for the device to which its last participant handed off.
  func isHeld(at now: Instant) -> Bool { isFrozen && patience.map { now < $0 } ?? false }
}

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

/// The seekable range of live content.
///
/// Its end, the live edge, advances by a second each second.
package struct SeekWindow: Hashable, Sendable {
  /// The earliest seekable position.
  package let start: MediaTime
  /// The live edge.
  package let end: MediaTime
  /// Whether the start advances too, for example if a broadcaster keeps the last two hours.
  package let slides: Bool

  /// Makes a window; `nil` if `start` is negative or `end` lies before it.
  package init?(start: MediaTime, end: MediaTime, slides: Bool) {
    guard start >= .zero, end >= start else { return nil }
    (self.start, self.end, self.slides) = (start, end, slides)
  }

  private init(_ window: SeekWindow, after elapsed: Duration) {
    start = window.slides ? window.start + elapsed : window.start
    end = window.end + elapsed
    slides = window.slides
  }

  /// The window after this time has passed.
  func moved(by elapsed: Duration) -> SeekWindow { SeekWindow(self, after: elapsed) }

  /// The position in the window that is closest to this one.
  func clamped(_ position: MediaTime) -> MediaTime { min(max(position, start), end) }

  /// Whether two players' reports agree within the length of a stream's segments.
  package func isSame(as other: SeekWindow) -> Bool {
    slides == other.slides && (start - other.start).magnitude <= Self.tolerance
      && (end - other.end).magnitude <= Self.tolerance
  }

  /// The live edge advances by whole segments of up to ten seconds (RFC 8216, target durations).
  private static let tolerance = Duration.seconds(10)
}

/// A seek window and when it was reported; indirect, because most timelines have none.
package indirect enum ToldSeekWindow: Hashable, Sendable {
  case told(SeekWindow, at: Instant)

  package func window(at now: Instant) -> SeekWindow {
    switch self {
    case .told(let window, let told): window.moved(by: max(now - told, .zero))
    }
  }
}
