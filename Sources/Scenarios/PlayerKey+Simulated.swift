package import Participation
import Vocabulary

extension PlayerKey {
  /// The key of a simulated player.
  package var simulated: SimulatedPlayer.Key {
    switch self {
    case .play: .play
    case .pause: .pause
    case .seek(let place): .seek(to: place)
    case .rate(let rate): .rate(rate.factor)
    }
  }
}
