import GroupSessions
import Playback
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Who is asked to come to a session, and what they say.

extension Coordinator {
  /// Everybody else of the group whom a notification can reach, and whoever wants to hear of it.
  ///
  /// Members without a place for notifications have the offer, and would learn of nothing else.
  func invitedPeople(of id: GroupID, by initiator: UserID) -> [UserID] {
    var people = id.topic.flatMap { trayIndex.subscribers[$0] } ?? []
    for member in groups[id]?.group?.members.values ?? Roster<Member>().values
    where trays[member.user]?.tray.installations.isEmpty == false {
      people.insert(member.user)
    }
    people.remove(initiator)
    return people.sorted()
  }
}

// MARK: Answers

extension Coordinator {
  /// Answers an invitation on a device: it joins with that, if it can at once.
  mutating func answer(
    _ answer: InvitationAnswer, to id: SessionID, seq: Int?, _ device: Device, _ reply: Reply
  ) throws(ProtocolError) {
    let user = device.identity.user
    guard let session = sessions[id]?.session,
      device.group == session.group || session.invitations[user] != nil
    else { throw unknownSession(id) }
    let invitationReply: InvitationReply
    switch answer {
    case .declined: invitationReply = .decline(user, on: device.id)
    case .accepted where canJoin(device, session):
      invitationReply = .accept(with: joiner(device, id))
    case .accepted: invitationReply = .acceptForLater(user, on: device.id)
    }
    let command = SessionCommand.answerInvitation(invitationReply, seq: seq)
    perform(
      SessionWork(command: .command(command), reply: reply.wanting(.invitationAnswered)), on: id)
  }

  private func canJoin(_ device: Device, _ session: GroupSession) -> Bool {
    device.group == session.group && obstacle(for: device) == nil
      && device.session ?? session.id == session.id
  }

  /// Answers an invitation by its token, on a connection that says hello to nobody.
  mutating func answer(
    _ answer: InvitationAnswer, byToken token: String, _ request: RequestID, from peer: PeerID
  ) {
    do throws(ProtocolError) {
      guard !isStopping else { throw ProtocolError(.shuttingDown) }
      let claim = try claim(in: token)
      let reply: InvitationReply =
        switch answer {
        case .accepted: .acceptForLater(claim.user, on: nil)
        case .declined: .decline(claim.user, on: nil)
        }
      let command = SessionCommand.answerInvitation(reply, seq: claim.seq)
      perform(
        SessionWork(
          command: .command(command), reply: nil, bearer: Bearer(peer: peer, request: request)),
        on: claim.session)
    } catch {
      send(.error(request, error), to: peer)
    }
  }

  /// Answers an invitation by its token on a device: as by the session's name, once it is clear that
  /// it is the same person's.
  mutating func answer(
    _ answer: InvitationAnswer, byToken token: String, _ request: RequestID, on device: DeviceID
  ) {
    do throws(ProtocolError) {
      let claim = try claim(in: token)
      guard claim.user == devices[device]?.identity.user else {
        throw ProtocolError(.invalidToken, reason: "person")
      }
      begin(request, .answerInvitation(claim.session, answer, seq: claim.seq), from: device)
    } catch {
      send(.error(request, error), to: device)
    }
  }

  private func claim(in token: String) throws(ProtocolError) -> InvitationClaim {
    guard let signer = notifications.signer else { throw ProtocolError(.invalidToken) }
    do throws(InvitationTokenFault) {
      return try signer.claim(in: token, at: now)
    } catch { throw ProtocolError(error) }
  }

  /// Tells whoever answered by token what came of it.
  mutating func tell(_ bearer: Bearer?, _ outcome: RequestOutcome) {
    guard let bearer, peers[bearer.peer] != nil else { return }
    send(outcome.message(to: bearer.request), to: bearer.peer)
  }
}

// MARK: What follows from a session's events

extension Coordinator {
  /// Those whom a session invited, or who answered, hear of it where their notifications are.
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
    guard let invitation, invitation.state == .pending, now < invitation.expires else { return }
    post(
      invitation.notification(in: session, at: now, notifications),
      TrayAddressing(outlivesResponse: true), to: invitation.user)
  }

  private mutating func revokeInvitations(of users: [UserID], to id: SessionID) {
    guard let invitations = sessions[id]?.session?.invitations else { return }
    for user in users {
      guard let invitation = invitations[user] else { continue }
      revoke(invitation, to: id)
    }
  }

  /// The session's end takes back what nobody answered.
  mutating func revokePending(_ invitations: Invitations, to id: SessionID) {
    for invitation in invitations.values where invitation.state == .pending {
      revoke(invitation, to: id)
    }
  }

  private mutating func revoke(_ invitation: Invitation, to id: SessionID) {
    perform(.revoke([invitation.name(in: id).id]), on: invitation.user)
  }
}
