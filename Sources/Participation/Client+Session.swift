import GroupSessions
import InAppMessaging
import Playback
import Vocabulary
import Wire

// The mirror of the session: a snapshot, then every event in the order of its number.

extension Client {
  mutating func enter(_ snapshot: SessionSnapshot) {
    let id = snapshot.session.id
    if let farewell = pending.takeFarewell(to: id) {
      askOwn(farewell, .nobody)
      return
    }
    if isAccepting(id) { takeSeat(in: id) }
    guard let old = seat, old.id == id else { return }
    seat?.enter(snapshot)
    if old.isUnannounced { publish(.waiting(Offer(snapshot.session)), of: id) }
    if !old.isJoined || old.participant != snapshot.participant {
      publish(.joined(snapshot.participant), of: id)
    }
    tellDifference(from: old.session, to: snapshot.session)
    tellChat(of: snapshot, after: old.session?.seq ?? 0)
    play { $0.refollow() }
    noteCountdown(nil, snapshot.session)
    noteMedia(of: snapshot.session, before: old.isJoined ? old.session : nil)
    if !old.isJoined { beginRestoring(of: snapshot.session) }
    sendPending()
  }

  /// Publishes the difference between two states: participants, then the activity, then the
  /// policies.
  private mutating func tellDifference(from old: GroupSession?, to new: GroupSession) {
    let before = old?.participants ?? Roster()
    let gone = before.values.filter { new.participants[$0.id] == nil }
    for participant in gone.sorted(by: { $0.id < $1.id }) {
      publish(.roster(.left(participant, nil)), of: new.id)
    }
    for participant in new.participants.values.sorted(by: { $0.id < $1.id }) {
      let id = participant.id
      if before[id] == nil {
        publish(.roster(.joined(participant)), of: new.id)
      } else if let old,
        before[id] != participant
          || old.playback.participants[id] != new.playback.participants[id]
          || !new.isUnchanged(id, since: old)
      {
        publish(.roster(.changed(id)), of: new.id)
      }
    }
    if old?.activity != new.activity || old?.revision != new.revision {
      publish(.activity(new.activity, revision: new.revision, by: nil), of: new.id)
    }
    if old?.queue != new.queue { publish(.queue(new.queue), of: new.id) }
    if (old?.attachments ?? Attachments()) != new.attachments {
      publish(.attachments(new.attachments.list), of: new.id)
    }
    if old.map(SessionPolicies.init) != SessionPolicies(new) {
      publish(.policies(SessionPolicies(new)), of: new.id)
    }
    let invitations = new.invitations.values
    if !invitations.elementsEqual(old?.invitations.values.map(\.self) ?? []) {
      publish(.invitations(Array(invitations)), of: new.id)
    }
  }

  /// Publishes what others said after an event; own lines are known to whoever said them.
  private mutating func tellChat(of snapshot: SessionSnapshot, after seq: Int) {
    let lines = snapshot.session.chat.lines.filter {
      $0.seq > seq && $0.by != snapshot.participant
    }
    if !lines.isEmpty { publish(.chat(lines), of: snapshot.session.id) }
  }

  mutating func hear(_ event: SessionEvent, seq: Int, at instant: Instant, of id: SessionID) {
    guard let before = seat?.session, before.id == id, seq > before.seq else { return }
    // The stream has no gaps. A gap is a fault, so the client reconnects to get a new snapshot.
    guard seq == before.seq + 1 else { return drop("events of the session are missing") }
    seat?.evolve(event, at: instant)
    guard let after = seat?.session, let me = seat?.participant else { return }
    if case .messageSent(let payload, let recipients, let source) = event {
      guard recipients.contains(me, from: source) else { return }
      if let line = CountdownLine(payload) { return hear(line, from: source) }
      let update = SessionUpdate.message(
        payload, from: source, seq: seq, isPrivate: recipients != .all)
      return publish(update, of: id)
    }
    tell(event, before: before, after: after)
    if let reason = event.invalidation(of: me) { return invalidate(reason, last: before) }
    if case .playback(.suspensionEnded(me, let ended)) = event {
      let suspensions = before.playback.participants[me]?.suspensions ?? []
      if let ended = suspensions.first(where: { $0.id == ended }) {
        play { $0.tryAgain(afterEndOf: ended) }
      }
    }
    play { $0.refollow() }
    noteCountdown(event, after)
    noteMedia(of: after, before: before)
  }

  /// Advances the mirror's number past an event that this device may not see.
  mutating func skip(_ seq: Int, of id: SessionID) {
    guard let me = seat?.participant else { return }
    let nothing = SessionEvent.messageSent(JSONText(validated: "null"), to: .only([]), by: me)
    hear(nothing, seq: seq, at: Instant(microseconds: 0), of: id)
  }

  private mutating func tell(_ event: SessionEvent, before: GroupSession, after: GroupSession) {
    let id = after.id
    switch event {
    case .joined(let participant): publish(.roster(.joined(participant)), of: id)
    case .left(let who, let reason):
      if let participant = before.participants[who] {
        publish(.roster(.left(participant, reason)), of: id)
      }
    case .lost(let who, _), .resumed(let who), .roleSet(let who, _, _),
      .readinessSet(let who, _, _),
      .playback(.itemSelected(_, let who)), .playback(.suspensionBegan(let who, _, _, _)),
      .playback(.suspensionEnded(let who, _)), .playback(.readied(let who, _)),
      .playback(.durationDoubted(_, _, let who)):
      publish(.roster(.changed(who)), of: id)
    case .interrupted:
      for who in after.participants.keys where before.lost[who] == nil {
        publish(.roster(.changed(who)), of: id)
      }
    case .playback(.durationLearned(let item, _)):
      for (who, _) in before.playback.timelines[item]?.doubts ?? [:] {
        publish(.roster(.changed(who)), of: id)
      }
    case .playback(.timelineSet), .playback(.itemAdvanced):
      for who in after.participants.keys where !after.isUnchanged(who, since: before) {
        publish(.roster(.changed(who)), of: id)
      }
    case .activitySet(let activity, let revision, let who):
      publish(.activity(activity, revision: revision, by: who), of: id)
      if before.queue != after.queue { publish(.queue(after.queue), of: id) }
    case .queue(let change, let who):
      if case .selected = change {
        publish(.activity(after.activity, revision: after.revision, by: who), of: id)
      }
      publish(.queue(after.queue), of: id)
    case .attachmentAdded, .attachmentRemoved:
      publish(.attachments(after.attachments.list), of: id)
    case .controlSet, .dismissalPolicySet, .playback(.waitingPolicySet):
      publish(.policies(SessionPolicies(after)), of: id)
    case .invited, .invitationAnswered, .invitationsRevoked, .invitationsExpired:
      publish(.invitations(Array(after.invitations.values)), of: id)
    case .began, .activated, .declined, .messageSent, .playback, .ended: break
    }
    if let notice = SessionNotice(event, before: before, after: after), !isMismatchOfOwn(notice) {
      publish(.notice(notice), of: id)
    }
  }

  /// Whether the notice is about this device's other item, which the server reports by
  /// `itemMismatch`.
  private func isMismatchOfOwn(_ notice: SessionNotice) -> Bool {
    if case .openedAnother = notice.action { notice.who == seat?.participant } else { false }
  }

  /// Ends the session on this device: publishes one invalidation and no update after it.
  ///
  /// - Parameters:
  ///   - reason: Why the session is over.
  ///   - last: The session before its last event, because an ended session keeps only its reason.
  mutating func invalidate(_ reason: InvalidationReason, last: GroupSession? = nil) {
    guard let over = seat else { return }
    if over.isJoined, let session = last ?? over.session { keepRevival(of: session, after: reason) }
    seat = nil
    forgetMedia(of: over.id)
    play { $0.detach() }
    let orphans = pending.takeAll { [link] in
      $0.request.isForParticipants && !($0.isSent && link.isOnline)
    }
    for request in orphans { finish(request.asker, .failed(.invalidated(reason))) }
    publish(.invalidated(reason), of: over.id)
    if over.isJoined { show(.session(.ended(over.id))) }
  }
}

extension SessionEvent {
  /// Why this event ends the session for a participant; `nil` if it does not.
  fileprivate func invalidation(of me: ParticipantID) -> Client.InvalidationReason? {
    switch self {
    case .left(me, let reason): Client.InvalidationReason(reason)
    case .ended(let reason): .ended(reason)
    default: nil
    }
  }
}

extension GroupSession {
  /// Whether a participant has the same item, of the same length, and is as ready to play it as
  /// before; readiness and the difference of lengths change with the item's timeline, too.
  fileprivate func isUnchanged(_ who: ParticipantID, since before: GroupSession) -> Bool {
    playback.participants[who]?.item == before.playback.participants[who]?.item
      && playback.isReadyToPlay(who) == before.playback.isReadyToPlay(who)
      && excessLength(of: who) == before.excessLength(of: who)
  }
}

extension Client.InvalidationReason {
  /// Why a continuing session is over for a device that is no longer a participant.
  init(_ reason: LeaveReason) {
    switch reason {
    case .left: self = .left
    case .dismissed: self = .dismissed
    case .removed(let host, let isBanned): self = .removed(by: host, isBanned: isBanned)
    case .connectionLost: self = .connectionLost
    case .handedOff(let successor): self = .handedOff(to: successor)
    }
  }
}
