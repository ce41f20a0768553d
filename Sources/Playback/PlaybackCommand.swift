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

/// Why coordinated playback refused a command; the state is unchanged.
package enum PlaybackRejection: Error, Equatable, Sendable {
  /// No participant has this identifier.
  case unknownParticipant
  /// The command names another item than the participant's current one.
  case staleItem
  /// The report answers an outdated timeline event; the latest one has this number.
  case staleReport(seq: Int)
  /// The participant is suspended, so its commands affect only its own player.
  case suspendedLocalOnly
  /// The participant has no open suspension with this number.
  case unknownSuspension
  /// The participant has reached the limit of open suspensions.
  case tooManySuspensions(limit: Int)
  /// The session has reached the limit of timelines, and each of them is current for someone or the
  /// activity's own.
  case tooManyTimelines(limit: Int)
}

/// The state that a participant proposes for an item; it applies only if the group has none yet.
package struct ProposedTiming: Equatable, Sendable {
  package var mediaTime: MediaTime
  /// The rate to run at; `nil` proposes a pause.
  package var rate: Rate?

  package init(mediaTime: MediaTime, rate: Rate? = nil) {
    self.mediaTime = mediaTime
    self.rate = rate
  }
}
