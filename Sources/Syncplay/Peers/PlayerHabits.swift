import Playback
import Vocabulary

/// What a client's player does beyond what its client is told, as far as it shows.
struct PlayerHabits: Equatable, Sendable {
  /// How far it runs on after somebody else's pause: where it is told to stop is that much
  /// earlier.
  private(set) var overrun: Duration
  /// How long it stands still at a seek: it is sent that much further.
  private(set) var seekCost = Duration.milliseconds(100)

  /// The reference's client seeks, sleeps for 30 ms, and stops 50 ms later.
  private static let referenceOverrun = Duration.milliseconds(80)
  /// Beyond these it was something else: a person, or a file that would not load.
  private static let largestOverrun = Duration.milliseconds(400)
  private static let largestSeekCost = Duration.seconds(2)

  /// The habits of a client before anything was seen of them.
  init(isReference: Bool) {
    overrun = isReference ? Self.referenceOverrun : .zero
  }

  /// Takes in where a player stopped, against where it was to stop.
  mutating func noteStop(_ error: Duration) {
    guard error.magnitude <= Self.largestOverrun else { return }
    overrun = (overrun + error / 2).clamped(to: .zero...Self.largestOverrun)
  }

  /// Takes in where a player was soon after a seek, against where it was to be.
  mutating func noteSeek(_ error: Duration) {
    guard error.magnitude <= Self.largestSeekCost else { return }
    seekCost = (seekCost - error / 2).clamped(to: .zero...Self.largestSeekCost)
  }
}
