import Playback
import Vocabulary

/// A running timeline in this process's own time: where its player should be, and when.
struct LocalLine: Equatable, Sendable {
  let anchor: TimelineAnchor
  let clock: ClockEstimate
  let duration: Duration?
  /// How much later than the player says its sound and picture come out: the player runs ahead by
  /// as much.
  let playerOffset: Duration

  /// The moment at which the player should show the anchor's place.
  var start: HostTime { clock.hostTime(of: anchor.at) - playerOffset }

  /// The place at which the player should be; before the start it is the anchor's.
  func position(at time: HostTime) -> MediaTime {
    let place = anchor.position(at: clock.instant(at: time + playerOffset))
    let end = duration.map { MediaTime.zero + $0 } ?? MediaTime(microseconds: .max)
    return min(max(place, .zero), end)
  }

  /// The moment at which the player should be at a place.
  func moment(of place: MediaTime) -> HostTime {
    clock.hostTime(of: anchor.instant(of: place)) - playerOffset
  }
}
