import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Eligibility, offers and invitations, requests that trays pass on, and the size of an audience.

// MARK: Eligibility and offers

extension Groups {
  mutating func updateEligibility(
    after event: GroupEvent, in group: Group, before: EarlierGroup
  ) {
    switch event {
    case .sharingSet(let device, _): tellEligibility(of: device)
    case .memberLeft(let device, _):
      tellEligibility(of: device)
      tellAllIfThresholdPassed(group, before)
    case .memberLost: tellAllIfThresholdPassed(group, before)
    case .memberResumed(let device):
      tellEligibility(of: device)
      tellAllIfThresholdPassed(group, before)
    case .closed:
      for device in group.members.keys { tellEligibility(of: device) }
    case .opened, .memberJoined, .interrupted, .preferredDeviceSet, .sessionStarted, .sessionEnded,
      .keyChanged, .userAdmitted, .userRemoved, .objectUpdated, .objectRemoved, .emptied:
      break
    }
    reviewDestinations(after: event, in: group, before)
  }

  /// Offers the live session to the devices that a change of a preferred device makes the
  /// destination.
  private mutating func reviewDestinations(
    after event: GroupEvent, in group: Group, _ before: EarlierGroup
  ) {
    guard before.hasPreferences || !group.preferredDevices.isEmpty,
      let live = group.session, let session = rooms.sessions[live]?.session
    else { return }
    let user: UserID? =
      switch event {
      case .preferredDeviceSet(let user, _): user
      case .memberLost(let device, _), .sharingSet(let device, _): group.members[device]?.user
      case .memberLeft(let device, _): seats[device]?.user
      default: nil
      }
    guard let user else { return }
    for member in group.members.values
    where member.user == user && seats[member.device]?.offered != live {
      offer(session, to: member.device)
    }
  }

  /// Updates everyone's eligibility when the number of connected members crosses the minimum.
  private mutating func tellAllIfThresholdPassed(_ group: Group, _ before: EarlierGroup) {
    let least = turn.limits.eligibleMembers
    let was = before.connectedCount >= least
    guard was != (group.connectedCount >= least) else { return }
    for device in group.members.keys { tellEligibility(of: device) }
  }

  /// Sends a device its eligibility if it changed, and then the live session's offer.
  mutating func tellEligibility(of id: DeviceID, isForced: Bool = false) {
    guard let seat = seats[id] else { return }
    let group = seat.group.flatMap { rooms.groups[$0]?.group }
    let eligibility =
      seat.isVisitor && seat.isConnected
      ? .eligible
      : group?.eligibility(of: id, limits: turn.limits) ?? .ineligible(.notInGroup)
    // Its group is about to store that it is back, and it is told then.
    guard !seat.isConnected || eligibility != .ineligible(.notConnected) else { return }
    guard isForced || eligibility != seat.eligibility else { return }
    seats[id]?.note(eligibility)
    turn.send(.eligibility(eligibility), to: id)
    guard let live = group?.session, let session = rooms.sessions[live]?.session else { return }
    offer(session, to: id)
  }

  /// Announces a session to the group's members: an offer if they can join, otherwise a notice.
  mutating func announce(_ session: GroupSession) {
    let initiator = session.initiator.device
    offer(session, to: initiator)
    for device in members(of: session.group) where device != initiator {
      offer(session, to: device)
    }
  }

  /// The devices in a group, its visitors behind its members.
  func members(of group: GroupID) -> [DeviceID] {
    (rooms.groups[group]?.group?.members.keys.sorted() ?? []) + onlookers.visitors(of: group)
  }

  /// Offers a session to a device, or notifies it of the activity.
  ///
  /// - Parameter isWanted: whether the device asked; then it also gets sessions that it left or
  ///   declined, even while it is alone.
  mutating func offer(_ session: GroupSession, to id: DeviceID, isWanted: Bool = false) {
    guard let seat = seats[id], seat.isConnected, seat.group == session.group,
      seat.session != session.id, !session.banned.contains(seat.identity)
    else { return }
    if case .ended = session.state { return }
    guard
      isWanted
        || (seat.departure?.session != session.id && !session.isDeclined(by: seat.identity))
    else { return }
    switch seat.eligibility {
    case .ineligible(.alone) where !isWanted: break  // An existing offer stays valid.
    case .eligible where seat.isVisitor && !session.hasAudience: notify(of: session, id)
    case .eligible, .ineligible(.alone):
      guard rooms.destination(of: seat, turn.limits).device == id else { break }
      seats[id]?.offer(session.id)
      let invitation = session.invitations[seat.user]
      let isAwaited = invitation?.isAwaited(at: turn.now) == true
      turn.send(.offer(Offer(session, isAwaited: isAwaited)), to: id)
    case .ineligible(let reason):
      if seat.offered == session.id { withdrawOffer(from: id, .notEligible) }
      if reason != .notConnected { notify(of: session, id) }
    }
  }

  /// Tells a device of a session that it cannot take part in.
  private mutating func notify(of session: GroupSession, _ id: DeviceID) {
    let metadata = session.activity.metadata
    turn.send(
      .activityNotice(
        ActivityNotice(
          session: session.id, title: metadata.title, fallbackURL: metadata.fallbackURL)),
      to: id)
  }

  /// Withdraws a session's offers from all devices of a person who declined the invitation.
  mutating func withdrawOffers(of session: SessionID, from user: UserID) {
    let group = rooms.sessions[session]?.session.flatMap { rooms.groups[$0.group]?.group }
    for member in group?.members.values.filter({ $0.user == user }) ?? []
    where seats[member.device]?.offered == session {
      withdrawOffer(from: member.device, .declined)
    }
  }

  mutating func withdrawOffer(from id: DeviceID, _ reason: OfferWithdrawal) {
    guard let offered = seats[id]?.takeOffer() else { return }
    turn.send(.offerWithdrawn(offered, reason), to: id)
  }
}

// MARK: Invitations

extension Groups {
  /// Checks that nobody is invited whom the group, or the session, does not let in.
  func checkInvited(_ users: [UserID], _ seat: Seat) throws(ProtocolError) {
    let isRemoved = seat.group.map { group in users.contains { rooms.isRemoved($0, from: group) } }
    let banned = seat.session.flatMap { rooms.sessions[$0]?.session?.banned.users } ?? []
    let reason = isRemoved == true ? "removed" : banned.isDisjoint(with: users) ? nil : "banned"
    if let reason { throw ProtocolError(.forbidden, field: "users", reason: reason) }
  }

  /// The people that a new session invites.
  func people(invitedBy initiator: UserID, to group: GroupID) -> [UserID] {
    let members = rooms.groups[group]?.group?.members.values.map(\.user) ?? []
    return reach.people(toInviteTo: group, of: members, by: initiator)
      .filter { !rooms.isRemoved($0, from: group) }
  }

  /// Answers an invitation on a device, which joins with the answer if it can.
  mutating func answer(
    _ answer: InvitationAnswer, to id: SessionID, seq: Int?, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    // To who is outside and whose credential does not name the group, the invitation is not there.
    guard let session = rooms.sessions[id]?.session,
      seat.group == session.group
        || session.invitations[seat.user] != nil && seat.mayEnter(session.group)
    else { throw rooms.unknownSession(id) }
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
    seat.group == session.group && rooms.obstacle(for: seat) == nil
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
      rooms.sessions[name.session]?.session?.invitations[seat.user] != nil
      || rooms.ending(of: name.session) != nil
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
      guard let session = rooms.sessions[id]?.session else { return }
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
    for id in rooms.sessions.keys.sorted() {
      guard let session = rooms.sessions[id]?.session else { continue }
      post(session.invitations[user], of: session)
    }
  }

  private mutating func revokeInvitations(of users: [UserID], to id: SessionID) {
    guard let invitations = rooms.sessions[id]?.session?.invitations else { return }
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
    _ deliveries: [BoundDelivery], within groups: GroupGrants?, of user: UserID
  ) {
    let over = invitations.filter { name in
      let invitation = rooms.sessions[name.session]?.session?.invitations[user]
      return invitation?.seq != name.seq || invitation?.state != .pending
    }
    if !over.isEmpty { turn.say(.people(.revoke(over.map(\.id), of: user))) }
    let gone = subscriptions.filter {
      !rooms.maySubscribe($0, user) || !isEntitled(user, within: groups, to: $0)
    }
    end(gone, of: user)
    for delivery in deliveries {
      if rooms.sessions[delivery.session]?.session == nil {
        turn.say(.people(.sessionOver(delivery.session, of: user, on: nil)))
      } else if let device = delivery.device, seats[device]?.session != delivery.session {
        turn.say(.people(.sessionOver(delivery.session, of: user, on: device)))
      }
    }
  }

  /// Whether a credential of a person entitles them to a subscription: the one shown last, or that of a
  /// device with which they are in the group.
  private func isEntitled(
    _ user: UserID, within groups: GroupGrants?, to subscription: Subscription
  ) -> Bool {
    guard let groups, let group = rooms.group(of: subscription), !groups.matches(group) else {
      return true
    }
    return rooms.groups[group]?.group?.members.values.contains {
      $0.user == user && seats[$0.device]?.mayEnter(group) == true
    } == true
  }

  /// Passes a request on to ``People`` if the device may make it.
  ///
  /// Only members of a group may subscribe to its objects and topics, and publish to them: a
  /// notification tells what the group watches.
  mutating func grant(_ request: TrayRequest, _ seat: Seat, _ reply: Reply) throws(ProtocolError) {
    switch request {
    case .subscribe(.object(let object)): try checkSubscription(to: object, seat)
    case .subscribe(.topic(let topic)):
      if case .group(let group)? = TopicOwner(topic),
        !rooms.isMember(seat.user, of: group) || !seat.mayEnter(group)
      {
        throw ProtocolError(.notYourTopic)
      }
    case .publish(let publication):
      guard case .group(let group)? = TopicOwner(publication.topic),
        rooms.groups[group]?.group?.members[reply.device] != nil
      else { throw ProtocolError(.notYourTopic) }
    case .objectState(let object): return try tellState(of: object, to: seat, reply)
    case .register, .unregister, .unsubscribe, .push, .report, .remove, .wipe, .list: break
    }
    turn.say(.people(.granted(request, by: seat.identity, reply)))
  }
}

// MARK: Replies in text

extension Groups {
  /// Passes a text reply to an invitation on to the person who invited.
  mutating func passOn(_ response: TrayResponse, to id: NotificationID, by user: UserID) {
    guard response.actionID == ActionIdentifier.reply, let text = response.text, !text.isEmpty,
      let name = InvitationName(id), name.belongs(to: user),
      let session = rooms.sessions[name.session]?.session,
      let invitation = session.invitations[user], invitation.seq == name.seq
    else { return }
    let recipient = invitation.inviter ?? session.initiator.user
    guard recipient != user, turn.now < invitation.expires else { return }
    let writer = response.device.flatMap { seats[$0] }?.identity.name ?? user.text
    let notification = invitation.notification(
      ofReply: text, by: writer, in: session, at: turn.now, notifications)
    turn.say(.people(.post(notification, to: recipient)))
  }
}

// MARK: The size of an audience

extension Groups {
  mutating func countSpectator(_ device: DeviceID, in id: SessionID, isHere: Bool) {
    isHere ? onlookers.insert(device, in: id) : onlookers.remove(device, from: id)
    armAudience(of: id)
  }

  /// Notes how far a spectator's player is from the group's position.
  mutating func noteSpectator(_ device: DeviceID, _ offset: Duration, in id: SessionID) {
    onlookers.note(offset, of: device, in: id, turn.limits)
    armAudience(of: id)
  }

  /// Arms the next message about the size, unless it is armed.
  private mutating func armAudience(of id: SessionID) {
    guard onlookers.hasNews(of: id) else { return }
    turn.arm(.audience(id), at: turn.now + turn.limits.audienceInterval)
  }

  /// Tells everybody how large the audience is, if that has changed.
  mutating func tellAudience(of id: SessionID) {
    turn.disarm(.audience(id))
    guard let size = onlookers.takeNews(of: id) else { return }
    turn.say(.front(.publish(.audience(id, size), on: .session(id))))
  }

  /// Tells a device that comes how large the audience is, as everybody was told last.
  mutating func tellAudience(of session: GroupSession, to device: DeviceID) {
    guard session.hasAudience else { return }
    turn.send(.audience(session.id, onlookers.toldSize(of: session.id)), to: device)
  }
}
