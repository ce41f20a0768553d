package import Vocabulary

/// The state of one participant in coordinated playback, like AVFoundation's
/// `AVCoordinatedPlaybackParticipant`.
package struct CoordinatedParticipant: Equatable, Sendable {
  /// The current item of the participant's player; commands for other items do not affect it.
  package internal(set) var item: ItemID?
  /// Why the participant is detached; empty while it is attached.
  package internal(set) var suspensions: [Suspension] = []
  /// The number of the timeline event that the player last reported ready for, on this item.
  ///
  /// 0 means none: events are numbered from 1, and a plain integer takes half the space of an
  /// optional one.
  package internal(set) var readySeq = 0
  /// The number of the timeline event after which the player reported the end; 0 means none.
  package internal(set) var endedSeq = 0
  /// Whether the participant is connected.
  package internal(set) var isConnected = true
  /// Whether a restart of the server disconnected the participant, whose player has never stopped.
  package internal(set) var wasInterrupted = false

  /// A new participant, without a current item.
  package init() {}

  /// Restores a participant from a snapshot.
  package init(
    item: ItemID?, readySeq: Int, endedSeq: Int, suspensions: [Suspension], isConnected: Bool,
    wasInterrupted: Bool = false
  ) {
    self.item = item
    self.readySeq = readySeq
    self.endedSeq = endedSeq
    self.suspensions = suspensions
    self.isConnected = isConnected
    self.wasInterrupted = wasInterrupted
  }

  /// Whether the participant follows the group's commands and can command the group.
  package var isAttached: Bool { isConnected && suspensions.isEmpty }

  /// Whether the participant's player is there: a restart of the server stops no player.
  var isPresent: Bool { isConnected || wasInterrupted }

  /// Whether the participant's player keeps a running item running.
  var isWatching: Bool { isPresent && suspensions.isEmpty }

  /// Since when advertisements alone keep the participant out; `nil` if it has another suspension.
  var interstitialSince: Instant? {
    guard suspensions.allSatisfy({ $0.reason == .playingInterstitial && !$0.isImposed }) else {
      return nil
    }
    return suspensions.first?.since
  }

  /// Whether the person or the app suspended, rather than the server after a barrier's deadline.
  package var isSuspendedByChoice: Bool { suspensions.contains { !$0.isImposed } }
}
