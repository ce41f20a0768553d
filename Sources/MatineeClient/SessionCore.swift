import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

/// What is known of one session, shared between the client's thread, which writes, and the app.
final class SessionCore: Sendable {
  struct Activity: Sendable {
    let value: GroupSessions.GroupActivity
    let revision: Int
    let by: ParticipantID?
  }

  struct Message: Sendable {
    let payload: JSONText
    let source: ParticipantID
  }

  /// Messages and notices that wait for a slow reader: a burst of a chat, not a history.
  private static let bufferedElements = 256

  let id: SessionID
  let isLocallyInitiated: Bool
  let state = Observed(SessionState.waiting)
  let activity: Observed<Activity>
  let participants = Observed(Set<Participant>())
  let local = Observed<Participant?>(nil)
  let playback = Observed<PlaybackStatus?>(nil)
  let queue = Observed<[QueueEntry]>([])
  let changes = Broadcast<ParticipantChange>(buffering: bufferedElements)
  let messages = Broadcast<Message>(buffering: bufferedElements)
  let notices = Broadcast<String>(buffering: bufferedElements)

  init(_ offer: Offer, device: DeviceID) {
    id = offer.session
    isLocallyInitiated = offer.initiator.device == device
    activity = Observed(Activity(value: offer.activity, revision: offer.revision, by: nil))
  }

  /// Takes in what happened; called on the client's thread, in order.
  func take(
    _ update: Participation.Participant.SessionUpdate, session: GroupSessions.GroupSession?
  ) {
    switch update {
    case .waiting(let offer):
      activity.set(Activity(value: offer.activity, revision: offer.revision, by: nil))
    case .joined(let me):
      local.set(session?.participants[me].map(Participant.init))
      state.set(.joined)
    case .roster(let change):
      take(change, session)
    case .activity(let value, let revision, let by):
      activity.set(Activity(value: value, revision: revision, by: by))
    case .playback(let status): playback.set(PlaybackStatus(status))
    case .queue(let queue): self.queue.set(queue.entries.map { QueueEntry($0, queue.current) })
    case .message(let payload, let source, _):
      messages.send(Message(payload: payload, source: source))
    case .notice(let notice): notices.send(notice.description)
    case .itemMismatch(_, let others):
      notices.send("The others watch “\(others)”, not what this device has open.")
    case .invalidated(let reason):
      state.set(.invalidated(InvalidationReason(reason)))
      finish()
    case .policies, .drift, .corrected: break
    }
  }

  private func take(
    _ change: Participation.Participant.RosterChange, _ session: GroupSessions.GroupSession?
  ) {
    var roster = participants.current
    switch change {
    case .joined(let participant):
      roster.insert(Participant(participant))
      changes.send(.joined(Participant(participant)))
    case .left(let participant, _):
      roster = roster.filter { $0.id != participant.id }
      changes.send(.left(Participant(participant)))
    case .changed(let id):
      if let participant = session?.participants[id].map(Participant.init),
        !roster.contains(participant)
      {
        roster = roster.filter { $0.id != id }.union([participant])
      }
      changes.send(.changed(id))
    }
    if roster != participants.current { participants.set(roster) }
  }

  private func finish() {
    state.finish()
    activity.finish()
    participants.finish()
    local.finish()
    playback.finish()
    queue.finish()
    changes.finish()
    messages.finish()
    notices.finish()
  }
}
