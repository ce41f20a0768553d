package import EventLoops
package import Participation
package import Vocabulary

/// Something that plays media, as a follower drives it: mpv, or a simulation of a player.
///
/// Confined to the thread of its loop. Whoever makes one gives it a ``PlayerDelegate``, which it
/// holds until ``close()`` or until it has closed itself.
package protocol Player: AnyObject {
  /// Opens an item in place of the one before, and shows its frame at a place, paused.
  ///
  /// Ends in `.loaded` and a position, or in `.failed`. The rate is 1 again.
  ///
  /// - Parameters:
  ///   - url: an `http` or `https` URL, or a file by path or `file` URL.
  ///   - place: where to begin; nil means at the item's start.
  func load(_ url: String, startingAt place: MediaTime?)

  /// Takes a command; it is ignored while no item is loaded.
  ///
  /// While a seek is under way only the newest of further ones is kept for after it.
  func perform(_ command: PlayerCommand)

  /// Closes the item; the player stays.
  func unload()

  /// Closes the player at once; its delegate hears no more. A second call does nothing.
  func close()
}

/// Hears of a ``Player``, on its loop's thread, until the player is closed.
package protocol PlayerDelegate: AnyObject {
  /// Something happened, or a running player says where it is, about every 100 ms.
  ///
  /// The moment is when it was learned; a position carries the moment it belongs to itself.
  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime)

  /// The player is gone and has closed itself; told once, and not after `close()`.
  func player(_ player: any Player, didClose reason: PlayerCloseReason)
}

/// Why a player is gone that nobody here had closed.
package enum PlayerCloseReason: Equatable, Sendable {
  /// The person closed it.
  case quit
  /// It broke; the sentence says how, and what can be done.
  case failed(reason: String)
}

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

/// How often a running player is asked where it is.
enum PositionPolling {
  /// The time to the next question.
  ///
  /// Drift is slow, so ten a second are plenty; right after a start there are twice as many, since
  /// followers learn from them what the start cost.
  static func interval(movingFor elapsed: Duration?) -> Duration {
    guard let elapsed, elapsed < .seconds(1) else { return .milliseconds(100) }
    return .milliseconds(50)
  }
}
