import Playback
import Vocabulary

extension Timeline {
  /// What the item is doing since its last event, for people.
  var phaseText: String {
    switch phase {
    case .paused(let place): "paused at \(place.clockText)"
    case .preparing(let barrier):
      barrier.isFrozen
        ? "waits at \(barrier.from.clockText)" : "getting ready at \(barrier.from.clockText)"
    case .playing(let anchor):
      "playing from \(anchor.mediaTime.clockText)"
        + (rate == .normal ? "" : " at \(rate.factor)×")
    case .ended: "ended"
    }
  }
}
