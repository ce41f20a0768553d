package import Participation
package import Players

/// Hears what a ``LoopParticipant`` has to tell, on its loop's thread.
package protocol LoopParticipantDelegate: AnyObject {
  /// Something happened that an app wants to know; told in order, never from within a call.
  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update)

  /// The player is gone; the session goes on without it.
  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason)
}
