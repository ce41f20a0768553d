import Vocabulary

// Invitations and their answers.

extension SessionDraft {
  /// Invites people who have no pending invitation, do not take part and have not declined.
  ///
  /// The session itself invites nobody twice, so repeating its invitation is harmless, and it stops
  /// silently at the limit. A participant who exceeds the limit gets an error.
  mutating func invite(_ users: [UserID], lifetime: Duration?, by id: ParticipantID?)
    throws(SessionRejection)
  {
    guard session.state == .open else { throw .notActivated }
    var seen = Set(session.participants.values.map(\.user))
    var invited = users.filter { seen.insert($0).inserted && mayInvite($0, isOwn: id == nil) }
    let room = max(0, limits.invitations - session.invitations.count)
    if id == nil {
      invited = Array(invited.prefix(room))
    } else if invited.count(where: { session.invitations[$0] == nil }) > room {
      throw .tooManyInvitations(limit: limits.invitations)
    }
    guard !invited.isEmpty else { return }
    let lifetime = min(lifetime ?? limits.invitationLifetime, limits.longestInvitation)
    record(.invited(invited, expires: now + max(.zero, lifetime), by: id))
  }

  private func mayInvite(_ user: UserID, isOwn: Bool) -> Bool {
    guard let invitation = session.invitations[user] else { return true }
    return !isOwn && invitation.mayBeRenewed(at: now)
  }

  /// Records a person's first answer; a repeated one changes nothing, and a different one is
  /// refused.
  ///
  /// So a duplicate or late answer never makes a person join twice or leave.
  mutating func answer(_ reply: InvitationReply, seq: Int?) throws(SessionRejection) {
    guard let invitation = session.invitations[reply.user] else { throw .notInvited }
    if let seq, seq != invitation.seq { throw .staleInvitation(seq: invitation.seq) }
    switch (invitation.state, reply.answer) {
    case (.pending, _):
      guard now < invitation.expires else { throw .invitationOver(.expired) }
      try carryOut(reply)
    case (.accepted, .accepted):
      // Joins a person who is expected; an old tap does not bring back one who has joined and left.
      if case .accept = reply, invitation.isAwaited(at: now) { try carryOut(reply) }
    case (.declined, .declined): break
    case (.accepted, .declined), (.declined, .accepted), (.expired, _), (.revoked, _):
      throw .invitationOver(invitation.state)
    }
  }

  private mutating func carryOut(_ reply: InvitationReply) throws(SessionRejection) {
    switch reply {
    case .accept(let joiner): try join(joiner)
    case .acceptForLater(let user, let device):
      if session.banned.contains(user, on: device) { throw .banned }
      record(.invitationAnswered(user, .accepted, on: device))
    case .decline(let user, let device):
      record(.invitationAnswered(user, .declined, on: device))
    }
  }

  /// Marks a joining person's pending invitation as accepted.
  mutating func acceptInvitation(of joiner: Joiner) {
    guard session.invitations[joiner.user]?.state == .pending else { return }
    record(.invitationAnswered(joiner.user, .accepted, on: joiner.device))
  }

  /// Revokes pending invitations: hosts may revoke any, others those of their own person.
  mutating func revokeInvitations(of users: [UserID], by id: ParticipantID)
    throws(SessionRejection)
  {
    var seen: Set<UserID> = []
    let revoked = users.filter {
      session.invitations[$0]?.state == .pending && seen.insert($0).inserted
    }
    let own = session.participants[id]?.user
    guard
      session.permits(id, .manageParticipants)
        || revoked.allSatisfy({ session.invitations[$0]?.inviter == own })
    else { throw .forbidden(.manageParticipants) }
    if !revoked.isEmpty { record(.invitationsRevoked(revoked, by: id)) }
  }

  /// Ends the pending invitation of a person whom the group no longer lets in.
  mutating func uninvite(_ user: UserID) {
    guard session.invitations[user]?.state == .pending else { return }
    record(.invitationsExpired([user]))
  }

  mutating func expireInvitations() {
    let expired = session.invitations.expired(by: now)
    if !expired.isEmpty { record(.invitationsExpired(expired)) }
  }
}
