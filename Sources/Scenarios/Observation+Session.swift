import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

extension Observation {
  /// Fills in what a client knows about its session.
  mutating func fill(_ session: GroupSession, _ client: Client, at now: Instant?) {
    func name(_ id: ParticipantID) -> String { session.participants[id]?.name ?? id.text }
    let people = session.people
    participants = people.map(\.name).sorted()
    audience = client.audience.count
    lost = people.filter { session.lost[$0.id] != nil }.map(\.name).sorted()
    ready = people.filter { $0.isReadyToStart == true }.map(\.name).sorted()
    let me = client.participantID
    role = me.flatMap { session.participants[$0]?.role.rawValue }
    suspensions =
      me.flatMap { session.playback.participants[$0]?.suspensions }?.map(\.reason.text) ?? []
    queue = session.queue.entries.map(\.media.item.text)
    item = session.activity.media?.item.text
    for invitation in session.invitations.values {
      invitations[invitation.user.text] = invitation.state.rawValue
    }
    guard let media = session.activity.media?.item,
      let timeline = session.playback.timelines[media]
    else { return }
    rate = timeline.rate.factor
    if let now { waitingFor = session.awaited(media, at: now).map(\.name).sorted() }
    phase = Phase(timeline.phase)
  }
}

extension Observation.Phase {
  fileprivate init(_ phase: Timeline.Phase) {
    switch phase {
    case .paused(let position): self = .paused(at: position)
    case .preparing(let barrier): self = .preparing(from: barrier.from)
    case .playing: self = .playing
    case .ended: self = .ended
    }
  }
}

extension Client.Failure {
  /// The failure's stable name; the server's error code if the server refused.
  var name: String {
    switch self {
    case .refused(let error): error.code.rawValue
    case .refusedUnknown(let error): error.code
    case .timedOut: "timedOut"
    case .forgotten: "forgotten"
    case .tooManyRequests: "tooManyRequests"
    case .notJoined: "notJoined"
    case .invalidated: "invalidated"
    case .superseded: "superseded"
    case .closed: "closed"
    }
  }
}

extension Client.InvalidationReason {
  /// The reason's stable name; if the session ended, the name of the session's reason.
  var name: String {
    switch self {
    case .left: "left"
    case .dismissed: "dismissed"
    case .declined: "declined"
    case .ended(let reason): reason.name.rawValue
    case .removed: "removed"
    case .handedOff: "handedOff"
    case .notEligible: "notEligible"
    case .joinFailed(let failure): "joinFailed:\(failure.name)"
    case .connectionLost: "connectionLost"
    case .serverRestarted: "serverRestarted"
    case .closed: "closed"
    }
  }

  /// The participant that caused it, if there is one.
  var originator: ParticipantID? {
    switch self {
    case .ended(.endedBy(let id)), .ended(.dismissedBy(let id)), .removed(by: let id, _): id
    default: nil
    }
  }
}
