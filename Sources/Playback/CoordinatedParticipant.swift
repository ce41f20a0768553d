package import Vocabulary

/// What coordination knows of one participant: AVFoundation's `AVCoordinatedPlaybackParticipant`.
package struct CoordinatedParticipant: Equatable, Sendable {
  /// The item the participant's player has current; commands for others do not concern it.
  package internal(set) var item: ItemID?
  /// Why the participant is detached; empty while attached.
  package internal(set) var suspensions: [Suspension] = []
  /// The number of the timeline event the player last reported ready for, on this item; events are
  /// numbered from 1, so that 0 is none, and takes half the room of an optional.
  package internal(set) var readySeq = 0
  /// The number of the timeline event at which the player reported the end of this item; 0 is none.
  package internal(set) var endedSeq = 0
  /// Whether its connection stands.
  package internal(set) var isConnected = true

  /// A participant with nothing current.
  package init() {}

  /// Puts one together from a snapshot.
  package init(
    item: ItemID?, readySeq: Int, endedSeq: Int, suspensions: [Suspension], isConnected: Bool
  ) {
    self.item = item
    self.readySeq = readySeq
    self.endedSeq = endedSeq
    self.suspensions = suspensions
    self.isConnected = isConnected
  }

  /// Whether the group's commands reach this participant, and its commands the group.
  package var isAttached: Bool { isConnected && suspensions.isEmpty }

  /// Since when all that keeps the participant out is an advertisement; `nil` if anything else does.
  var interstitialSince: Instant? {
    guard suspensions.allSatisfy({ $0.reason == .playingInterstitial && !$0.isImposed }) else {
      return nil
    }
    return suspensions.first?.since
  }

  /// Whether a person or an app stepped out, as opposed to a barrier that came due.
  package var isSuspendedByChoice: Bool { suspensions.contains { !$0.isImposed } }
}
