package import Vocabulary

/// What a participant wants of coordinated playback, or what its player reports.
///
/// Intents are absolute, never a toggle: when play and pause cross, the order of arrival decides.
package enum PlaybackCommand: Equatable, Sendable {
  /// The player made an item current, or put the current one away; said again of the current one,
  /// it only tells its length, its interstitials and what of it can be gone to.
  case transition(
    to: ItemID?, proposing: ProposedTiming? = nil, duration: Duration? = nil,
    interstitials: Interstitials = Interstitials(), seekWindow: SeekWindow? = nil)
  /// Play from where the group stands; `immediately` does not wait for others.
  case play(ItemID, rate: Rate? = nil, immediately: Bool = false)
  /// Pause; `at` is the frame at which the originator's player stopped.
  case pause(ItemID, at: MediaTime? = nil)
  /// Go elsewhere; `immediately` plays on without waiting for others.
  case seek(ItemID, to: MediaTime, immediately: Bool = false)
  /// Run at another speed, now or when it next runs.
  case setRate(ItemID, Rate)
  /// Step out of coordination.
  case suspend(SuspensionReason)
  /// Step back in; the group goes to the proposed place if this was the last suspension.
  case endSuspension(SuspensionID, proposing: MediaTime? = nil)
  /// The player has carried out the timeline event of that number.
  case ready(ItemID, seq: Int, duration: Duration? = nil)
  /// The player ran to the item's end after the timeline event of that number.
  case reportEnd(ItemID, seq: Int)
}
