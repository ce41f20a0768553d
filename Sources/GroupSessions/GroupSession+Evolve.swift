import Playback
package import Vocabulary

extension GroupSession {
  /// Applies an event and counts it.
  ///
  /// - Parameter event: the event; `began` has no effect here, because it created the session.
  package mutating func evolve(_ event: SessionEvent, at now: Instant) {
    seq += 1
    switch event {
    case .began: break
    case .activated(let initiator, let joinBy):
      state = .open
      if control == .hostsOnly, initiator.user != self.initiator.user {
        stagedBy = self.initiator.user
      }
      self.initiator = initiator
      self.joinBy = joinBy
    case .joined(let participant): add(participant)
    case .left(let id, let reason): remove(id, reason)
    case .lost(let id, let until):
      // The deadline of somebody who is not there would never pass.
      guard participants[id] != nil else { break }
      lost[id] = until
      playback.setConnected(id, false)
    case .resumed(let id):
      lost[id] = nil
      playback.setConnected(id, true)
    case .interrupted(let until): interrupt(until: until)
    case .declined(let device): declined.insert(device)
    case .invited(let users, let expires, let id):
      let inviter = id.flatMap { participants[$0]?.user }
      invitations.enter(
        users.map { Invitation(user: $0, seq: seq, expires: expires, inviter: inviter) })
    case .invitationAnswered(let user, let answer, let device):
      invitations.answer(user, answer, on: device)
    case .invitationsRevoked(let users, _): invitations.end(users, as: .revoked)
    case .invitationsExpired(let users): invitations.end(users, as: .expired)
    case .activitySet(let activity, let revision, let id):
      self.activity = activity
      self.revision = revision
      initialTiming = nil
      queue.play(activity.media, addedBy: id)
    case .roleSet(let id, let role, let host):
      participants.change(id) { $0.role = role }
      guard let user = participants[id]?.user else { break }
      // A host's word outlasts the staging.
      if host != nil, role != .host, user == stagedBy { stagedBy = nil }
      if role == .listener { listeners.insert(user) } else { listeners.remove(user) }
    case .readinessSet(let id, let isReady, _):
      participants.change(id) { $0.isReadyToStart = isReady }
    case .controlSet(let control, _): self.control = control
    case .dismissalPolicySet(let policy, _): dismissalPolicy = policy
    case .messageSent(let payload, .all, let id) where payload.isChat:
      let name = participants[id]?.name ?? id.text
      chat.add(Chat.Line(seq: seq, at: now, by: id, name: name, payload: payload))
    case .messageSent: break
    case .attachmentAdded(let attachment): attachments.add(attachment)
    case .attachmentRemoved(let id, _): attachments.remove(id)
    case .queue(let event, _): evolve(event)
    case .playback(let event):
      playback.evolve(event, seq: seq, at: now)
    case .ended(let reason): end(reason)
    }
  }

  private mutating func add(_ participant: Participant) {
    identityBytes += participant.byteBound - (participants[participant.id]?.byteBound ?? 0)
    participants.enter(participant)
    devices.enter(participant, among: participants)
    playback.add(participant.id)
    declined.remove(participant.device)
    invitations.noteJoined(participant.user)
    joinBy = nil
    if participant.user == initiator.user { initiatorHasJoined = true }
  }

  private mutating func interrupt(until: Instant) {
    for id in participants.keys where lost[id] == nil {
      lost[id] = until
      playback.interrupt(id)
    }
  }

  private mutating func remove(_ id: ParticipantID, _ reason: LeaveReason) {
    guard let participant = participants.remove(id) else { return }
    identityBytes -= participant.byteBound
    devices.remove(participant, from: participants)
    lost[id] = nil
    playback.remove(id)
    if case .removed(_, isBanned: true) = reason { banned.insert(participant.identity) }
  }

  private mutating func evolve(_ event: QueueEvent) {
    queue.evolve(event)
    guard case .selected = event, let entry = queue.currentEntry else { return }
    activity.media = entry.media
    revision += 1
    initialTiming = nil
  }

  /// Ends the session and frees its memory; only the reason stays, for later answers to
  /// invitations.
  private mutating func end(_ reason: EndReason) {
    state = .ended(reason)
    participants = Roster()
    devices = DeviceIndex()
    identityBytes = 0
    lost = [:]
    playback = CoordinatedPlayback(waitingPolicy: playback.waitingPolicy)
    queue = Queue()
    invitations = Invitations()
    chat = Chat()
    attachments = Attachments()
    joinBy = nil
  }
}
