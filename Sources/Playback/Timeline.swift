package import Vocabulary

/// Where one media item stands for everybody who has it as current.
///
/// The truth is one tuple, made by the server and never derived from what clients report:
/// (seq, item, mediaTime, at, rate), with position = mediaTime + (now − at) · rate.
package struct Timeline: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// Everyone shows the frame at this place.
    case paused(at: MediaTime)
    /// Someone wants to play; nothing moves until all are ready or the barrier's patience is over.
    case preparing(StartBarrier)
    /// The item runs from the anchor; the anchor may lie a little in the future.
    case playing(TimelineAnchor)
    /// The item ran to its end.
    case ended(at: MediaTime)
  }

  /// What the item is doing.
  package var phase: Phase
  /// How fast it runs, or will when it runs next.
  package var rate: Rate
  /// The session's number of the event that set `phase`: ready reports name it, stale ones do not.
  package var seq: Int
  /// How long the item is, once a player told; `nil` for live content.
  package var duration: Duration?
  /// Who says that the item is not as long as that, and how long it is instead.
  package var doubts: SortedMap<ParticipantID, Duration> = [:]
  /// The advertisements stitched into the item.
  package var interstitials = Interstitials()
  /// What of live content can be gone to; `nil` where nobody told, or the length is known.
  package var seekWindow: ToldSeekWindow?
  /// Until when the item is remembered although nobody has it current; `nil` while somebody has.
  package var keptUntil: Instant?

  /// Lengths this close are the same one: containers and players round differently.
  package static let lengthTolerance = Duration.seconds(1)

  /// A timeline in this phase since the event of that number.
  package init(phase: Phase, rate: Rate = .normal, seq: Int, duration: Duration? = nil) {
    self.phase = phase
    self.rate = rate
    self.seq = seq
    self.duration = duration
  }

  /// The place everyone should be at, held inside the item where its duration is known.
  package func position(at now: Instant) -> MediaTime {
    switch phase {
    case .paused(let place), .ended(let place): clamped(place)
    case .preparing(let barrier): clamped(barrier.from)
    case .playing(let anchor): clamped(anchor.position(at: now))
    }
  }

  /// The place inside the item that is nearest to `place`.
  package func clamped(_ place: MediaTime) -> MediaTime {
    min(max(place, .zero), lastPlace)
  }

  /// The place that is nearest to `place` inside the item and what of it is there at an instant.
  package func reachable(_ place: MediaTime, at now: Instant) -> MediaTime {
    let inside = clamped(place)
    return seekWindow?.window(at: now).clamped(inside) ?? inside
  }

  /// Where someone who wants to go to `place` gets: inside the item, and from within an
  /// advertisement to its start, so that nobody skips what others have to sit through.
  package func landing(_ place: MediaTime, at now: Instant) -> MediaTime {
    let inside = reachable(place, at: now)
    return interstitials.range(at: inside).map { reachable($0.start, at: now) } ?? inside
  }

  /// Takes in the item's length; what stands beyond its end stands at its end from here on, so
  /// that a length corrected later does not make it jump.
  mutating func learn(_ length: Duration) {
    duration = length
    doubts = [:]
    seekWindow = nil
    switch phase {
    case .paused(let place): phase = .paused(at: clamped(place))
    case .ended(let place): phase = .ended(at: clamped(place))
    case .preparing(var barrier):
      barrier.from = clamped(barrier.from)
      phase = .preparing(barrier)
    case .playing: break  // Ends in the same decision.
    }
  }

  /// The end of the item, or of all time where its duration is not known.
  var lastPlace: MediaTime {
    duration.map { .zero + $0 } ?? MediaTime(microseconds: .max)
  }

  /// When the item reaches its end; `nil` unless it runs and its duration is known.
  package var end: Instant? {
    guard case .playing(let anchor) = phase, let duration else { return nil }
    return anchor.instant(of: .zero + duration)
  }
}
