public import Vocabulary

/// What a group asks of an app's player.
public enum PlayerAction: Hashable, Sendable {
  /// Open the media at this URL, and stand paused at its start; then report `loaded`.
  case load(url: String)
  /// Put away what is open.
  case unload
  /// Run from where the player stands, at this factor of normal speed.
  case play(rate: Double)
  /// Stop where the player is, showing that frame.
  case pause
  /// Go exactly to a place; then report `seekFinished`.
  case seek(to: MediaTime)
  /// Run at this factor from now on, or once it runs.
  case setRate(Double)
}
