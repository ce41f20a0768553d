package import EventLoops
package import Participation
package import Vocabulary

/// A media player controlled by a follower: mpv or a simulated player.
///
/// Confined to its loop's thread. It is created with a ``PlayerDelegate``, which it keeps until
/// ``close()`` or until it has closed itself.
package protocol Player: AnyObject {
  /// Opens an item in place of the current one, and shows the frame at a position, paused.
  ///
  /// Results in `.loaded` and a position, or in `.failed`. Resets the rate to 1.
  ///
  /// - Parameters:
  ///   - url: an `http` or `https` URL, or a file as a path or `file` URL.
  ///   - position: the start position; nil means the item's beginning.
  func load(_ url: String, startingAt position: MediaTime?)

  /// Carries out a command; ignored while no item is loaded.
  ///
  /// During a seek, only the newest further seek is kept and carried out afterwards.
  func perform(_ command: PlayerCommand)

  /// Closes the item; the player stays open.
  func unload()

  /// Closes the player immediately; its delegate receives no more calls. A second call does
  /// nothing.
  func close()
}

/// Receives the events of a ``Player``, on its loop's thread, until the player is closed.
package protocol PlayerDelegate: AnyObject {
  /// Something happened, or a playing player reports its position, about every 100 ms.
  ///
  /// `moment` is when the event was received; a position carries its own time.
  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime)

  /// The player has closed itself; called once, and not after `close()`.
  func player(_ player: any Player, didClose reason: PlayerCloseReason)
}

/// Why a player closed without a call to `close`.
package enum PlayerCloseReason: Equatable, Sendable {
  /// The person closed it.
  case quit
  /// It failed; the sentence says how, and what to do.
  case failed(reason: String)
}

/// Why a player could not be started, and what to do.
package struct PlayerStartError: Error, Equatable, CustomStringConvertible {
  /// The program to start.
  package let executable: String
  /// The system's error.
  package let cause: UVError

  /// One sentence, with advice if there is any.
  package var description: String {
    let advice =
      cause.code == .noSuchFile ? "; install mpv 0.33 or later, or give the path of one" : ""
    return "cannot start the player \(executable): \(cause)\(advice)"
  }
}

/// How often a playing player is asked for its position.
enum PositionPolling {
  /// The time until the next question.
  ///
  /// Drift is slow, so ten questions a second suffice. Directly after a start there are twice as
  /// many, because followers learn the cost of the start from them.
  static func interval(movingFor elapsed: Duration?) -> Duration {
    guard let elapsed, elapsed < .seconds(1) else { return .milliseconds(100) }
    return .milliseconds(50)
  }
}
