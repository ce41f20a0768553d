package import MatineeClient
import Playback
package import Scenarios
package import Vocabulary

// What an app's public client shows, in the terms that conditions use.

extension Observation {
  /// Fills in what a client shows outside sessions.
  package mutating func fill(_ client: GroupWatchClient) {
    connection = client.connection.current.observed
    switch client.groupState.eligibility.current {
    case .eligible: ineligibility = nil
    case .ineligible(let reason): ineligibility = reason.rawValue
    }
    message = client.inAppMessages.visible.current?.campaign?.id.text
    stack = client.inAppMessages.stack.current.compactMap(\.campaign?.id.text)
  }

  /// Fills in what a joined session shows.
  package mutating func fill(_ session: JoinedSession) {
    let people = session.activeParticipants.current.filter { !$0.isKeeper }
    participants = people.map(\.name).sorted()
    audience = session.audience.current.count
    lost = people.filter { !$0.isConnected }.map(\.name).sorted()
    ready = people.filter { $0.isReadyToStart == true }.map(\.name).sorted()
    role = session.localParticipant?.role.rawValue
    suspensions = session.localParticipant?.suspensions.map(\.reason.text).sorted() ?? []
    queue = session.queue.state.current.entries.map(\.media.item.text)
    item = session.activity.media?.item.text
    for invitation in session.invitations.current {
      invitations[invitation.user.text] = invitation.state.rawValue
    }
    guard let status = PlaybackCoordinator(session: session).status.current else { return }
    rate = status.rate
    waitingFor = status.waitingFor.map(\.name).sorted()
    switch status.phase {
    case .paused(let position): phase = .paused(at: position)
    case .preparing(let position): phase = .preparing(from: position)
    case .playing: phase = .playing
    case .ended: phase = .ended
    }
  }
}

extension ConnectionState {
  /// The state in the terms that conditions use.
  fileprivate var observed: Observation.Connection {
    switch self {
    case .connecting: .connecting
    case .online: .connected
    case .reconnecting: .reconnecting
    case .offline: .closed
    }
  }
}

extension InvalidationReason {
  /// The participant who caused it; `nil` if no participant did.
  private var originator: ParticipantID? {
    switch self {
    case .ended(.endedBy(let id)), .ended(.dismissedBy(let id)), .removed(by: let id, _): id
    default: nil
    }
  }

  /// The end of a session in the terms that conditions use; `name` returns a participant's name.
  package func observed(_ name: (ParticipantID) -> String?) -> Observation.Session {
    let by = originator.flatMap(name)
    guard case .joinFailed(let error) = self else { return .invalidated(description, by: by) }
    return .invalidated("joinFailed:\(error.code)", by: by)
  }
}
