public import Vocabulary

/// What an app's player tells of itself, whoever made it so.
public enum PlayerReport: Hashable, Sendable {
  /// The media is open; the noise is the standard deviation of reported positions.
  case loaded(duration: Duration?, canChangeRate: Bool, noise: Duration)
  /// What of live content can be gone to now, and whether the start moves on with the edge; wanted
  /// once it is open, and where it comes otherwise.
  case seekWindow(ClosedRange<MediaTime>, slides: Bool)
  /// Where the player is just now; wanted about every 100 ms while it runs.
  case position(MediaTime)
  /// The player went from running to paused.
  case paused
  /// The player went from paused to running.
  case unpaused
  /// The last seek is over, and the player shows, or goes on from, that place.
  case seekFinished(at: MediaTime)
  /// A seek to that place began that the group did not ask for.
  case seeked(to: MediaTime)
  /// The player runs at this factor of normal speed since, which the group did not ask for.
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
