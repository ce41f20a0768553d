package import EventLoops

/// A player that could not be started: which, why, and what to do.
package struct PlayerStartError: Error, Equatable, CustomStringConvertible {
  /// The program that was to be started.
  package let executable: String
  /// The system's answer.
  package let cause: UVError

  /// The whole in one sentence, with advice where there is some.
  package var description: String {
    let advice =
      cause.code == .noSuchFile ? "; install mpv 0.33 or later, or give the path of one" : ""
    return "cannot start the player \(executable): \(cause)\(advice)"
  }
}
