import GroupSessions
import Playback
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Invitations and their answers.

extension Groups {
  /// The people that a new session invites.
  func people(invitedBy initiator: UserID, to group: GroupID) -> [UserID] {
    let members = groups[group]?.group?.members.values.map(\.user) ?? []
    return reach.people(toInviteTo: group, of: members, by: initiator)
      .filter { !isRemoved($0, from: group) }
  }

  /// Answers an invitation on a device, which joins with the answer if it can.
  mutating func answer(
    _ answer: InvitationAnswer, to id: SessionID, seq: Int?, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    guard let session = sessions[id]?.session,
      seat.group == session.group || session.invitations[seat.user] != nil
    else { throw unknownSession(id) }
    if seat.isVisitor, answer == .accepted, session.isExpected(seat.identity, at: turn.now) {
      return try admitVisitor(
        seat, to: session, for: { .answerInvitation(.accept(with: $0), seq: seq) },
        before: .answerInvitation(id, answer, seq: seq), reply)
    }
    let invitationReply: InvitationReply
    switch answer {
    case .declined: invitationReply = .decline(seat.user, on: seat.device)
    case .accepted where canJoin(seat, session):
      invitationReply = .accept(with: joiner(seat, id))
    case .accepted: invitationReply = .acceptForLater(seat.user, on: seat.device)
    }
    let command = SessionCommand.answerInvitation(invitationReply, seq: seq)
    perform(
      SessionWork(command: .command(command), reply: reply.wanting(.invitationAnswered)), on: id)
  }

  private func canJoin(_ seat: Seat, _ session: GroupSession) -> Bool {
    seat.group == session.group && obstacle(for: seat) == nil
      && seat.session ?? session.id == session.id
  }

  /// Answers an invitation with its token, on a connection that has not said hello.
  mutating func answer(_ claim: InvitationClaim, _ answer: InvitationAnswer, _ bearer: Bearer) {
    let reply: InvitationReply =
      switch answer {
      case .accepted: .acceptForLater(claim.user, on: nil)
      case .declined: .decline(claim.user, on: nil)
      }
    let command = SessionCommand.answerInvitation(reply, seq: claim.seq)
    perform(SessionWork(command: .command(command), bearer: bearer), on: claim.session)
  }

  /// Answers the invitation that a notification is about.
  ///
  /// Identifiers can be guessed, so the response of a person who was not invited counts only as a
  /// report about the notification.
  mutating func answer(
    _ answer: InvitationAnswer, to name: InvitationName, else request: TrayRequest,
    _ reply: Reply
  ) {
    guard let seat = seats[reply.device] else { return }
    let wasInvited =
      sessions[name.session]?.session?.invitations[seat.user] != nil
      || tombstones[name.session] != nil
    guard wasInvited else { return turn.say(.people(.granted(request, by: seat.identity, reply))) }
    do throws(ProtocolError) {
      try self.answer(answer, to: name.session, seq: name.seq, seat, reply)
    } catch {
      turn.refuse(reply, error)
    }
  }
}

// MARK: What follows from a session's events

extension Groups {
  /// Updates the notifications of the people who were invited or who answered.
  mutating func followInvitations(_ event: SessionEvent, in id: SessionID) {
    switch event {
    case .invited(let users, _, _):
      guard let session = sessions[id]?.session else { return }
      for user in users { post(session.invitations[user], of: session) }
    case .invitationAnswered(let user, _, _): revokeInvitations(of: [user], to: id)
    case .invitationsRevoked(let users, _), .invitationsExpired(let users):
      revokeInvitations(of: users, to: id)
    default: break
    }
  }

  mutating func post(_ invitation: Invitation?, of session: GroupSession) {
    guard let invitation, invitation.state == .pending, turn.now < invitation.expires else {
      return
    }
    turn.say(
      .people(
        .post(
          invitation.notification(in: session, at: turn.now, notifications),
          TrayAddressing(outlivesResponse: true), to: invitation.user)))
  }

  /// Posts the pending invitations that a person's tray could not store earlier.
  mutating func postPendingInvitations(to user: UserID) {
    for id in sessions.keys.sorted() {
      guard let session = sessions[id]?.session else { continue }
      post(session.invitations[user], of: session)
    }
  }

  private mutating func revokeInvitations(of users: [UserID], to id: SessionID) {
    guard let invitations = sessions[id]?.session?.invitations else { return }
    for user in users {
      guard let invitation = invitations[user] else { continue }
      revoke(invitation, to: id)
    }
  }

  /// Withdraws the notifications of invitations that are pending when the session ends.
  mutating func revokePending(_ invitations: Invitations, to id: SessionID) {
    for invitation in invitations.values where invitation.state == .pending {
      revoke(invitation, to: id)
    }
  }

  private mutating func revoke(_ invitation: Invitation, to id: SessionID) {
    turn.say(.people(.revoke([invitation.name(in: id).id], of: invitation.user)))
  }
}

// MARK: What trays ask

extension Groups {
  /// Tells ``People`` which of a person's invitations, subscriptions and messages are over.
  mutating func review(
    _ invitations: [InvitationName], _ subscriptions: [Subscription],
    _ deliveries: [BoundDelivery], of user: UserID
  ) {
    let over = invitations.filter { name in
      let invitation = self.sessions[name.session]?.session?.invitations[user]
      return invitation?.seq != name.seq || invitation?.state != .pending
    }
    if !over.isEmpty { turn.say(.people(.revoke(over.map(\.id), of: user))) }
    let gone = subscriptions.filter { !mayFollow($0, user) }
    if !gone.isEmpty { turn.say(.people(.subscriptionsOver(gone, of: user))) }
    for delivery in deliveries {
      if self.sessions[delivery.session]?.session == nil {
        turn.say(.people(.sessionOver(delivery.session, of: user, on: nil)))
      } else if let device = delivery.device, seats[device]?.session != delivery.session {
        turn.say(.people(.sessionOver(delivery.session, of: user, on: device)))
      }
    }
  }

  /// Passes a request on to ``People`` if the device may make it.
  ///
  /// Only members of a group may follow its objects, subscribe to its topics and publish to them: a
  /// notification tells what the group watches.
  mutating func grant(_ request: TrayRequest, _ seat: Seat, _ reply: Reply) throws(ProtocolError) {
    switch request {
    case .subscribe(.object(let object)): try checkSubscription(to: object, seat)
    case .subscribe(.topic(let topic)):
      if case .group(let group)? = TopicOwner(topic), !isMember(seat.user, of: group) {
        throw ProtocolError(.notYourTopic)
      }
    case .publish(let publication):
      guard case .group(let group)? = TopicOwner(publication.topic),
        groups[group]?.group?.members[reply.device] != nil
      else { throw ProtocolError(.notYourTopic) }
    case .objectState(let object): return try tellState(of: object, to: seat, reply)
    case .register, .unregister, .unsubscribe, .push, .report, .remove, .wipe, .list: break
    }
    turn.say(.people(.granted(request, by: seat.identity, reply)))
  }

  /// Whether a person is in a group with any of their devices.
  private func isMember(_ user: UserID, of group: GroupID) -> Bool {
    groups[group]?.group?.members.values.contains { $0.user == user } == true
  }
}

// MARK: Replies in text

extension Groups {
  /// Passes a text reply to an invitation on to the person who invited.
  ///
  /// A repeated reply has the same identifier, so that the person is not notified again.
  mutating func passOn(_ response: TrayResponse, to id: NotificationID, by user: UserID) {
    guard response.actionID == ActionIdentifier.reply, let text = response.text, !text.isEmpty,
      let name = InvitationName(id), name.belongs(to: user),
      let session = sessions[name.session]?.session,
      let invitation = session.invitations[user], invitation.seq == name.seq
    else { return }
    let recipient = invitation.inviter ?? session.initiator.user
    guard recipient != user, turn.now < invitation.expires else { return }
    let writer = response.device.flatMap { seats[$0] }?.identity.name ?? user.text
    var payload = NotificationPayload(
      NotificationPayload.Alert(title: .init(writer), body: .init(text)),
      custom: [
        "inv": .string(name.text), "session": .string(session.id.text), "from": .string(user.text),
      ])
    payload.sound = .default
    payload.threadID = session.group.text
    payload.shortenBody(toFit: notifications.policy.payloadBytes)
    let notification = RemoteNotification(
      id: name.replyID(text), date: turn.now, payload: payload, collapseID: name.replyCollapseID,
      expires: invitation.expires)
    turn.say(.people(.post(notification, to: recipient)))
  }
}

extension NotificationPayload {
  /// Shortens the body until the payload fits.
  fileprivate mutating func shortenBody(toFit limit: Int) {
    guard let text = alert?.body?.text else { return }
    var characters = Array(text)
    // Some characters take six bytes in JSON, so this takes a few rounds at most.
    while jsonByteCount > limit, !characters.isEmpty {
      characters.removeLast(max(1, characters.count / 4))
      alert?.body = .init(String(characters) + "…")
    }
  }
}
