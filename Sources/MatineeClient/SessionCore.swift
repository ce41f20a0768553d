import EventLoops
import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

/// The state of one session; the client's thread writes it and the app reads it.
final class SessionCore: Sendable {
  struct Activity: Sendable {
    let value: GroupSessions.GroupActivity
    let revision: Int
    let by: ParticipantID?
  }

  struct Message: Sendable {
    let payload: JSONText
    let source: Participant
    let seq: Int?
    /// The message as a line of chat; `nil` if it is none.
    let line: ChatMessage?
  }

  /// The last lines of chat, and how many there were.
  private struct Transcript: Sendable {
    var lines: [ChatMessage] = []
    var count = 0
  }

  /// A message to an app, or a line of chat from before it could hear it.
  enum Heard: Sendable {
    case message(Message)
    case earlier(ChatMessage)
  }

  /// The backlog of a slow reader, in elements: enough for a burst of chat, not for a history.
  static let bufferedElements = 256

  let id: SessionID
  private let device: DeviceID
  let initiator: Observed<Identity>
  private let ending = Locked<Client.InvalidationReason?>(nil)
  /// Whether this device has joined it at any time; set before the state.
  private let joined = Locked(false)
  let state: Observed<SessionState>
  let activity: Observed<Activity>
  let participants = Observed(Set<Participant>())
  let local = Observed<Participant?>(nil)
  let policies = Observed(SessionPolicies())
  let audience = Observed(AudienceSize())
  let playback = Observed<PlaybackStatus?>(nil)
  let drift = Observed<Duration?>(nil)
  let queue = Observed(QueueState(Queue()))
  let attachments = Observed<[GroupSessionJournal.Attachment]>([])
  let invitations = Observed<[Invitation]>([])
  let countdown = Observed<StartCountdown?>(nil)
  let corrections = Broadcast<PlaybackCorrection>(buffering: bufferedElements)
  let changes = Broadcast<ParticipantChange>(buffering: bufferedElements)
  let messages = Broadcast<Heard>(buffering: bufferedElements)
  /// The last lines of chat, for whoever begins to listen later.
  private let transcript = Locked(Transcript())
  let notices = Broadcast<GroupSessionNotice>(buffering: bufferedElements)

  init(_ offer: Offer, device: DeviceID) {
    id = offer.session
    self.device = device
    initiator = Observed(offer.initiator)
    state = Observed(offer.isStaged ? .staged : .waiting)
    activity = Observed(Activity(value: offer.activity, revision: offer.revision, by: nil))
  }

  /// Whether this device started the session, or activated it if somebody else had staged it.
  var isLocallyInitiated: Bool { initiator.current.device == device }

  /// Whether the session is over for this device.
  var isOver: Bool { if case .invalidated = state.current { true } else { false } }

  /// Whether this device takes part in the session, or has taken part until it was over.
  var hasJoined: Bool { joined.withLock { $0 } }

  /// Why the session is over for this device; `nil` while it is not.
  var invalidation: Client.InvalidationReason? { ending.withLock { $0 } }

  /// The last lines of chat, the oldest first.
  var lastLines: [ChatMessage] { transcript.withLock { $0.lines } }

  /// Applies an update; called on the client's thread, in order.
  func take(
    _ update: Client.SessionUpdate, session: GroupSessions.GroupSession?
  ) {
    switch update {
    case .waiting(let offer): take(offer)
    case .joined(let me): enter(session, as: me)
    case .roster(let change): take(change, session)
    case .activity(let value, let revision, let by):
      activity.set(Activity(value: value, revision: revision, by: by))
    case .playback(let status): playback.update(PlaybackStatus(status))
    case .queue(let queue): self.queue.update(QueueState(queue))
    case .attachments(let list):
      attachments.update(list.map(GroupSessionJournal.Attachment.init))
    case .invitations(let invitations): self.invitations.update(invitations)
    case .policies(let policies): self.policies.update(policies)
    case .audience(let size): audience.update(size)
    case .message(let payload, let source, let seq, let isPrivate):
      take(payload, from: source, seq, isPrivate: isPrivate)
    case .chat(let lines):
      for line in lines.compactMap(ChatMessage.init) { messages.send(.earlier(note(line))) }
    case .notice(let notice):
      let isLocal = notice.who != nil && notice.who == local.current?.id
      notices.send(GroupSessionNotice(notice, isLocal: isLocal))
    case .drift(let error): drift.update(error)
    case .countdown(let shown):
      countdown.update(shown.map { StartCountdown($0, participants.current) })
    case .unplayable(let media, let reason):
      notices.send(GroupSessionNotice(unplayable: media, reason))
    case .itemMismatch(let item, let others):
      notices.send(GroupSessionNotice(item: item, ofOthers: others))
    case .invalidated(let reason):
      ending.withLock { $0 = reason }
      state.set(.invalidated(InvalidationReason(reason)))
      finish()
    case .corrected(let correction, let error):
      corrections.send(PlaybackCorrection(kind: .init(correction), error: error))
    }
  }

  private func take(_ offer: Offer) {
    initiator.update(offer.initiator)
    activity.set(Activity(value: offer.activity, revision: offer.revision, by: nil))
    if state.current != .joined { state.update(offer.isStaged ? .staged : .waiting) }
  }

  /// Enters the session; sets the state last, so that a reader of `joined` finds the rest up to
  /// date.
  private func enter(_ session: GroupSessions.GroupSession?, as me: ParticipantID) {
    if let session {
      participants.update(Set(session.participants.values.map { Participant($0, in: session) }))
      let known = Activity(value: session.activity, revision: session.revision, by: nil)
      activity.set(known)
      queue.update(QueueState(session.queue))
      attachments.update(
        session.attachments.list.map(GroupSessionJournal.Attachment.init))
      policies.update(SessionPolicies(session))
      invitations.update(Array(session.invitations.values))
    }
    local.update(participants.current.first { $0.id == me })
    joined.withLock { $0 = true }
    state.update(.joined)
  }

  private func take(
    _ payload: JSONText, from source: ParticipantID, _ seq: Int?, isPrivate: Bool
  ) {
    // Only a droppable message can arrive after its sender has left.
    guard let sender = participants.current.first(where: { $0.id == source }) else { return }
    guard let notice = BroadcastNotice(payload) else {
      let line = ChatMessage(payload, from: sender, isPrivate: isPrivate).map(note)
      let message = Message(payload: payload, source: sender, seq: seq, line: line)
      return messages.send(.message(message))
    }
    notices.send(GroupSessionNotice(custom: notice.text, from: sender, isLocal: false))
  }

  /// Adds a line to the last ones; returns it with its number.
  private func note(_ line: ChatMessage) -> ChatMessage {
    transcript.withLock { transcript in
      var line = line
      transcript.count += 1
      line.number = transcript.count
      transcript.lines.append(line)
      if transcript.lines.count > Chat.maximumLines { transcript.lines.removeFirst() }
      return line
    }
  }

  /// Applies a change of the roster, and sends it last, so that its readers find the roster up to
  /// date.
  private func take(
    _ change: Client.RosterChange, _ session: GroupSessions.GroupSession?
  ) {
    var roster = participants.current
    let news: ParticipantChange
    switch change {
    case .joined(let participant):
      let joined = Participant(participant, in: session)
      roster = roster.filter { $0.id != joined.id }.union([joined])
      news = .joined(joined)
    case .left(let participant, _):
      roster = roster.filter { $0.id != participant.id }
      news = .left(Participant(participant, in: nil))
    case .changed(let id):
      if let changed = session?.participants[id].map({ Participant($0, in: session) }) {
        roster = roster.filter { $0.id != id }.union([changed])
        if id == local.current?.id { local.update(changed) }
      }
      news = .changed(id)
    }
    participants.update(roster)
    changes.send(news)
  }

  private func finish() {
    state.finish()
    initiator.finish()
    activity.finish()
    participants.finish()
    local.finish()
    policies.finish()
    audience.finish()
    playback.finish()
    drift.finish()
    queue.finish()
    attachments.finish()
    invitations.finish()
    countdown.finish()
    corrections.finish()
    changes.finish()
    messages.finish()
    notices.finish()
  }
}
