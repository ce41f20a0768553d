/// What makes one simulated player differ from another; begins as mpv 0.35 was measured.
package struct PlayerTraits: Equatable, Sendable {
  /// How long the item is.
  package var duration = Duration.seconds(3600)
  /// From the order to open the item to being loaded.
  package var loadTime = Duration.milliseconds(120)
  /// From a play command to media that moves.
  package var startCost = Duration.microseconds(200)
  /// The least a seek takes.
  package var seekCost = Duration.milliseconds(25)
  /// What chance adds to it, at most.
  package var seekSpread = Duration.milliseconds(40)
  /// From a command to its effect, beyond the costs above.
  package var commandLatency = Duration.zero
  /// The length of a frame: seeks land on the first frame not before the target.
  package var frame = Duration.milliseconds(40)
  /// Whether readings step by frames, as `time-pos` does, instead of running on like `audio-pts`.
  package var readsFrames = false
  /// The standard deviation of readings.
  package var noise = Duration.microseconds(100)
  /// How fast the player's own crystal gains on the process's clock, in parts per million.
  package var clockError = 0.0
  /// By how much every rate but 1 comes out wrong: 0.005 is half a percent.
  package var rateError = 0.0
  /// Whether it can run at rates other than 1.
  package var canChangeRate = true

  /// The traits of mpv with sound.
  package init() {}
}
