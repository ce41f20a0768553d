package import Vocabulary

/// What happened to coordinated playback.
///
/// The large cases lie apart, so that a session's retained events stay small.
package enum PlaybackEvent: Equatable, Sendable {
  /// A participant's player has this item current now.
  case itemSelected(ItemID?, by: ParticipantID)
  /// An item's timeline stands like this now.
  indirect case timelineSet(
    ItemID, Timeline.Phase, rate: Rate, action: TimelineAction, by: ParticipantID?)
  /// Everybody attached to the first item goes on to the second, which stands like this.
  indirect case itemAdvanced(from: ItemID, to: ItemID, Timeline.Phase, rate: Rate)
  /// An item's length became known, or was corrected.
  case durationLearned(ItemID, Duration)
  /// A participant's player says that the item has another length than is believed.
  indirect case durationDoubted(ItemID, Duration, by: ParticipantID)
  /// An item's advertisements became known.
  case interstitialsDeclared(ItemID, Interstitials)
  /// What of an item of unknown length can be gone to became known, or was corrected.
  indirect case seekWindowSet(ItemID, SeekWindow)
  /// A participant is ready for the timeline event of that number.
  case readied(ParticipantID, seq: Int)
  /// A participant's player reached the end after the timeline event of that number.
  case finished(ParticipantID, seq: Int)
  /// A participant stepped out, or did not get ready in time.
  indirect case suspensionBegan(ParticipantID, SuspensionID, SuspensionReason, isImposed: Bool)
  /// A participant's suspension is over.
  case suspensionEnded(ParticipantID, SuspensionID)
  /// The group waits by other rules now.
  indirect case waitingPolicySet(WaitingPolicy, by: ParticipantID)
  /// Nobody has this item current any more; its timeline is kept until that instant at least.
  case timelineUnattended(ItemID, until: Instant)
  /// Nobody needs this item's timeline any more.
  case timelineDropped(ItemID)
}

/// What a timeline event did, for notices such as "Ann paused".
package enum TimelineAction: String, Equatable, Sendable, CaseIterable {
  /// The first to have the item current brought its state along.
  case propose
  /// Someone pressed play; the barrier begins, or playback does.
  case play
  /// Everyone was ready, or waiting was over: playback begins.
  case start
  /// Someone pressed pause.
  case pause
  /// Someone went elsewhere.
  case seek
  /// Someone changed the speed.
  case setRate
  /// The group waits for someone.
  case wait
  /// Nobody is watching; time stands still.
  case freeze
  /// The item ran to its end.
  case end
}
