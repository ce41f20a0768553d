import Playback
import Vocabulary

/// The part of a room's timeline that each State needs, without heap storage.
///
/// It is computed when the timeline changes instead of being looked up for each client every
/// second.
struct Standing: Equatable, Sendable {
  /// The number of the event that set the position.
  let seq: Int
  private let phase: Timeline.Phase
  /// The rate at which the room plays, or will play after a pause.
  let rate: Rate
  private let end: MediaTime

  init(_ timeline: Timeline) {
    seq = timeline.seq
    phase = timeline.phase
    rate = timeline.rate
    end = timeline.clamped(MediaTime(microseconds: .max))
  }

  /// Whether the room does not play.
  var isPaused: Bool {
    if case .playing = phase { false } else { true }
  }

  /// Whether clients are told that the room is paused.
  ///
  /// They are also told so until a second before a start that leaves players time to open a film,
  /// because they would start at once.
  func isPaused(at now: Instant) -> Bool { isPaused || distantStart(at: now) != nil }

  /// When the room starts by the clock alone, if that is more than a second away.
  func distantStart(at now: Instant) -> Instant? {
    guard case .playing(let anchor) = phase, anchor.approach == nil,
      now + SyncplayLimits.statePeriod < anchor.at
    else { return nil }
    return anchor.at
  }

  /// Whether the room is about to play, and waits until everybody is ready.
  var isPreparing: Bool {
    if case .preparing = phase { true } else { false }
  }

  /// The room's position at an instant, in seconds.
  ///
  /// Before a start it is extrapolated backwards, because clients add the network delay.
  func place(at now: Instant) -> Double {
    // At the normal rate a sum is enough; arithmetic on durations and rates takes a hundred times
    // as long.
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
