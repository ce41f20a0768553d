import GroupSessions
import Playback
import Vocabulary
import Wire

extension Client {
  /// This device's place in one session, from the wish to join.
  struct Seat: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// The join is under way, until it is given up.
      case joining(until: HostTime)
      case joined
    }

    let id: SessionID
    var stage: Stage
    /// Whether the app knows nothing of the session yet: nobody offered it here.
    var isUnannounced = false
    /// Whether the server has said that this device takes part, and only the session is awaited.
    var isConfirmed = false
    /// The session as this device knows it, evolved by the server's numbered events.
    var session: GroupSession?
    /// Which participant this device is.
    var participant: ParticipantID?
    /// When a server that took the connection back must have said where the session stands.
    var resyncDue: HostTime?
    /// What the app was last told of playback.
    var published: PlaybackStatus?

    var me: CoordinatedParticipant? {
      guard let participant else { return nil }
      return session?.playback.participants[participant]
    }

    var isJoined: Bool { stage == .joined }

    var nextDeadline: HostTime? {
      if case .joining(let moment) = stage { moment } else { resyncDue }
    }
  }
}
