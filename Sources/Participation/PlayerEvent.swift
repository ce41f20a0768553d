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
}
