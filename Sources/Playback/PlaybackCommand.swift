package import Vocabulary

/// A participant's command to coordinated playback, or a report of its player.
///
/// Intents are absolute, never toggles: if a play and a pause cross, the order of arrival decides.
package enum PlaybackCommand: Equatable, Sendable {
  /// The player made an item current, or has none any more.
  ///
  /// Repeated for the current item, it only reports the duration, interstitials and seek window.
  case transition(
    to: ItemID?, proposing: ProposedTiming? = nil, duration: Duration? = nil,
    interstitials: Interstitials = Interstitials(), seekWindow: SeekWindow? = nil)
  /// Play from the group's position; `immediately` does not wait for others.
  case play(ItemID, rate: Rate? = nil, immediately: Bool = false)
  /// Pause; `at` is the frame at which the originator's player stopped.
  case pause(ItemID, at: MediaTime? = nil)
  /// Seek; `immediately` continues without waiting for others.
  case seek(ItemID, to: MediaTime, immediately: Bool = false)
  /// Change the rate, now or for the next play.
  case setRate(ItemID, Rate)
  /// Suspend: leave coordination for a while.
  case suspend(SuspensionReason)
  /// End a suspension; after the last one the group seeks to the proposed position.
  case endSuspension(SuspensionID, proposing: MediaTime? = nil)
  /// The player has carried out the timeline event with this number.
  case ready(ItemID, seq: Int, duration: Duration? = nil)
  /// The player reached the item's end after the timeline event with this number.
  case reportEnd(ItemID, seq: Int)
}
