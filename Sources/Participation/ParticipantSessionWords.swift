package import GroupSessions
package import Playback
package import Vocabulary
package import Wire

extension Client {
  /// What an app is told of one session, from an offer to exactly one invalidation.
  package enum SessionUpdate: Equatable, Sendable {
    /// It waits for this device, or what it is about changed while it waits.
    case waiting(Offer)
    /// This device takes part.
    case joined(ParticipantID)
    /// What everyone watches; `by` is `nil` on joining and where the queue went on by itself.
    case activity(GroupActivity, revision: Int, by: ParticipantID?)
    case roster(RosterChange)
    case playback(PlaybackStatus)
    case queue(Queue)
    case policies(SessionPolicies)
    /// A message of a messenger; `seq` is `nil` for a droppable one.
    case message(JSONText, from: ParticipantID, seq: Int?)
    /// This device has another item current than those who watch what the session is about: the
    /// app may offer to go over.
    case itemMismatch(ItemID, others: ItemID)
    /// What someone did, for people to read.
    case notice(SessionNotice)
    /// How far the player is from where it should be, about once a second while it runs.
    case drift(Duration)
    /// What was done about the player's distance.
    case corrected(Follower.Correction, error: Duration)
    /// The session is over for this device.
    case invalidated(InvalidationReason)
  }

  /// Who came, went or changed.
  package enum RosterChange: Equatable, Sendable {
    case joined(GroupSessions.Participant)
    case left(GroupSessions.Participant, LeaveReason?)
    /// Its role, its connection, its suspensions, its current item or how long its copy is.
    case changed(ParticipantID)
  }

  /// How the group stands to this device's current item.
  package struct PlaybackStatus: Equatable, Sendable {
    package var item: ItemID
    package var timeline: Timeline
    /// The names of those a start waits for.
    package var waitingFor: [String]
    /// Why this device is detached; empty while attached.
    package var suspensions: [Suspension]
    /// Whether this device's player has the item open.
    package var isLoaded: Bool
  }
}
