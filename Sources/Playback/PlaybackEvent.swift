package import Vocabulary

/// What happened to coordinated playback.
///
/// Large cases are indirect, so that a session's retained events stay small.
package enum PlaybackEvent: Equatable, Sendable {
  /// A participant's player made this item current, or has none current.
  case itemSelected(ItemID?, by: ParticipantID)
  /// The state of an item's timeline changed.
  indirect case timelineSet(
    ItemID, Timeline.Phase, rate: Rate, action: TimelineAction, by: ParticipantID?)
  /// Everybody attached to the first item moved to the second, whose timeline begins like this.
  indirect case itemAdvanced(from: ItemID, to: ItemID, Timeline.Phase, rate: Rate)
  /// An item's duration became known or was corrected.
  case durationLearned(ItemID, Duration)
  /// A participant's player reports another duration than the known one, or one of live content.
  indirect case durationDoubted(ItemID, Duration, by: ParticipantID)
  /// An item's advertisements became known.
  case interstitialsDeclared(ItemID, Interstitials)
  /// The seek window of an item of unknown duration became known or was corrected.
  indirect case seekWindowSet(ItemID, SeekWindow)
  /// A participant is ready for the timeline event with this number.
  case readied(ParticipantID, seq: Int)
  /// A participant's player reached the end after the timeline event with this number.
  case finished(ParticipantID, seq: Int)
  /// A participant suspended, or the server suspended it because it did not get ready in time.
  indirect case suspensionBegan(ParticipantID, SuspensionID, SuspensionReason, isImposed: Bool)
  /// A participant's suspension ended.
  case suspensionEnded(ParticipantID, SuspensionID)
  /// The waiting policy changed.
  indirect case waitingPolicySet(WaitingPolicy, by: ParticipantID)
  /// Nobody has this item current any more; its timeline is kept at least until this instant.
  case timelineUnattended(ItemID, until: Instant)
  /// An item's timeline was dropped.
  case timelineDropped(ItemID)
}

/// Which action caused a timeline event, for notices such as "Ann paused".
package enum TimelineAction: String, Equatable, Sendable, CaseIterable {
  /// The first participant with the item proposed its state, or the first one to know its seek
  /// window brought it to the live edge.
  case propose
  /// Someone pressed play: a barrier or playback begins.
  case play
  /// Everyone was ready, or waiting ended: playback begins.
  case start
  /// Someone pressed pause.
  case pause
  /// Someone sought.
  case seek
  /// Someone changed the rate.
  case setRate
  /// The group waits for someone.
  case wait
  /// Nobody is watching, so the item stands still.
  case freeze
  /// The item reached its end.
  case end
}
