package import Playback
package import Vocabulary

/// What a player tells.
///
/// Players do not say who paused them: a shell passes on every change, and the ``Follower`` works
/// out from what it asked for whether a person did it.
package enum PlayerEvent: Equatable, Sendable {
  /// The item is open and stands paused at its start, or where ``position(_:at:)`` says next.
  ///
  /// The noise is the standard deviation of ``position(_:at:)``: 0.1 ms for mpv's `audio-pts`,
  /// 12 ms for positions that step by frames.
  case loaded(duration: Duration?, canChangeRate: Bool, measurementNoise: Duration)
  /// What of live content the player can go to now; wanted on opening it and where it came
  /// otherwise, since it moves on by itself.
  case seekWindow(SeekWindow)
  /// Where the player was at a moment; wanted about every 100 ms while it runs.
  case position(MediaTime, at: HostTime)
  /// The player went from running to paused, whoever wanted it.
  case paused
  /// The player went from paused to running, whoever wanted it.
  case unpaused
  /// A seek to that place began that no command of ours began, or that a shell cannot tell apart.
  case seeked(to: MediaTime)
  /// The last seek is over, and the player shows, or goes on from, that place.
  case seekFinished(at: MediaTime)
  /// The player runs at this factor of normal speed, or will, which no command of ours asked for.
  case rateChanged(Double)
  /// The player ran out of data.
  case stalled
  /// The player has data again.
  case recovered
  /// The item ran to its end.
  case ended
  /// The item cannot be played here.
  case failed(reason: String)

  /// Whether it says what became of opening something.
  var opens: Bool {
    switch self {
    case .loaded, .failed: true
    default: false
    }
  }
}

/// What a follower asks of a player; every player can do these, whatever it is made of.
package enum PlayerCommand: Equatable, Sendable {
  /// Run from where the player stands, at this factor of normal speed.
  case play(rate: Double)
  /// Stop where the player is, showing that frame.
  case pause
  /// Go exactly to a place; runs on afterwards if the player ran, else shows the frame there.
  case seek(to: MediaTime)
  /// Run at this factor from now on, or once it runs.
  case setRate(Double)
}

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
