import Playback
import Vocabulary

/// The part of a room's timeline that each State needs, without anything on the heap.
///
/// It is made when the timeline changes, and not looked up for each client and second.
struct Standing: Equatable, Sendable {
  /// The number of the event that set the position.
  let seq: Int
  private let phase: Timeline.Phase
  /// How fast the room runs, or will when it runs next.
  let rate: Rate
  private let end: MediaTime

  init(_ timeline: Timeline) {
    seq = timeline.seq
    phase = timeline.phase
    rate = timeline.rate
    end = timeline.clamped(MediaTime(microseconds: .max))
  }

  /// Whether the room is paused, as clients are told.
  var isPaused: Bool {
    if case .playing = phase { false } else { true }
  }

  /// Whether the room is about to play, and not everybody is ready.
  var isPreparing: Bool {
    if case .preparing = phase { true } else { false }
  }

  /// The room's position at an instant, in seconds.
  ///
  /// Before a start it is extrapolated backwards, because clients add the time of the line.
  func place(at now: Instant) -> Double {
    // At the normal rate it is a sum; arithmetic on durations and rates takes a hundred times as
    // long.
    if case .playing(let anchor) = phase, anchor.rate == .normal,
      anchor.approach == nil || now >= anchor.at
    {
      let elapsed = now.microseconds - anchor.at.microseconds
      let (sum, overflows) = anchor.mediaTime.microseconds.addingReportingOverflow(elapsed)
      return clamped(overflows ? end : MediaTime(microseconds: sum)).seconds
    }
    let place =
      switch phase {
      case .playing(let anchor) where now < anchor.at && anchor.approach == nil:
        anchor.mediaTime - anchor.rate.media(in: anchor.at - now)
      case .playing(let anchor): anchor.position(at: now)
      case .paused(let place), .ended(let place): place
      case .preparing(let barrier): barrier.from
      }
    return clamped(place).seconds
  }

  private func clamped(_ place: MediaTime) -> MediaTime { min(max(place, .zero), end) }
}
