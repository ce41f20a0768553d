package import Vocabulary

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
