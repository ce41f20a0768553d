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
