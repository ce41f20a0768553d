package import Participation
package import Vocabulary

/// Hears of a ``Player``, on its loop's thread, until the player is closed.
package protocol PlayerDelegate: AnyObject {
  /// Something happened, or a running player says where it is, about every 100 ms.
  ///
  /// The moment is when it was learned; a position carries the moment it belongs to itself.
  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime)

  /// The player is gone and has closed itself; told once, and not after `close()`.
  func player(_ player: any Player, didClose reason: PlayerCloseReason)
}
