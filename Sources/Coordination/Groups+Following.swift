import GroupSessions
import Playback
import Signatures
import UserNotifications
import Vocabulary
import Wire

// The consequences of one aggregate's events for the rest of the server.

/// The parts of a group's earlier state that matter for the consequences of an event.
struct EarlierGroup: Equatable, Sendable {
  let session: SessionID?
  let connectedCount: Int
  /// Whether anybody chose a preferred device; when that device goes, offers may move to others.
  let hasPreferences: Bool

  init(_ group: Group) {
    session = group.session
    connectedCount = group.connectedCount
    hasPreferences = !group.preferredDevices.isEmpty
  }
}

extension Groups {
  mutating func follow(_ event: GroupEvent, in group: Group, before: EarlierGroup) {
    switch event {
    // Devices that join are admitted after their batch.
    case .opened, .memberJoined, .memberResumed, .interrupted, .sharingSet, .preferredDeviceSet,
      .sessionEnded, .userAdmitted, .objectUpdated, .emptied:
      break
    case .objectRemoved(let object, _): tellRemoval(of: object, from: group.id)
    case .userRemoved(let user):
      endSubscriptions(of: user, in: group)
      endVisits(to: group.id, of: user)
    case .keyChanged:
      if let message = access.keyMessage(of: group) {
        turn.say(.front(.publish(message, on: .group(group.id))))
      }
    case .memberLeft(let device, let reason): depart(device, from: group, reason)
    case .memberLost(let device, _):
      if seats[device]?.isConnected != true { initiatorMayBeGone(device, from: group) }
    case .sessionStarted(let session, _):
      if let old = before.session { replace(old, by: session) }
    case .closed:
      if let session = group.session {
        perform(.terminate(.groupClosed), on: session)
      }
      turn.say(.front(.disperse(.group(group.id))))
      tellEnd(of: .group(group.id), in: group.id)
      for device in group.members.keys { depart(device, from: group, nil) }
      endVisits(to: group.id)
    }
    updateEligibility(after: event, in: group, before: before)
  }

  /// Sends new members the group's state, and every event from then on.
  ///
  /// It includes devices whose short absence the group never noticed.
  mutating func admit(_ joiners: [DeviceID], to id: GroupID) {
    guard let group = groups[id]?.group, !group.isClosed else { return }
    var newcomers: [DeviceID] = []
    // Some may have left again in the same batch.
    let joiners = joiners.filter {
      group.members[$0] != nil && seats[$0].map { $0.group ?? id == id } == true
    }
    for joiner in joiners {
      endVisitAsMember(joiner, of: id)
      seats[joiner]?.group = id
      sayPlace(of: joiner)
      guard seats[joiner]?.isConnected == true, seats[joiner]?.followsGroup == false else {
        continue
      }
      followGroup(id, by: joiner)
      newcomers.append(joiner)
    }
    if !newcomers.isEmpty {
      turn.say(.front(.tellEach(.group(group), newcomers)))
      if let message = access.keyMessage(of: group) {
        turn.say(.front(.tellEach(message, newcomers)))
      }
    }
    for joiner in joiners { tellEligibility(of: joiner) }
    // Another member changes the others' eligibility only when the minimum number is reached.
    guard group.connectedCount - joiners.count < turn.limits.eligibleMembers else { return }
    for device in group.members.keys { tellEligibility(of: device) }
  }

  /// Ends the previous session of a group that has a new live session.
  private mutating func replace(_ old: SessionID, by new: SessionID) {
    guard sessions[old] != nil, old != new else { return }
    perform(SessionWork(command: .command(.terminate(.replaced(by: new))), reply: nil), on: old)
  }

  /// Removes a device that left the group from the session, too.
  ///
  /// The session itself removes lost devices, and everyone when the group closes.
  private mutating func depart(
    _ id: DeviceID, from group: Group, _ reason: MemberLeaveReason?
  ) {
    guard let seat = seats[id], seat.group == group.id else { return }
    // A device that started over has left in its earlier life, and its joining waits behind that.
    guard seat.isVisitor || seat.followsGroup || !seat.isConnected else {
      return initiatorMayBeGone(id, from: group)
    }
    turnOut(id)
    // Who is removed leaves the session at once, although connected, and hears nothing more of it.
    let mustLeave = reason != nil && (reason != .connectionLost || seat.isConnected)
    if mustLeave, !seat.isSpectator, let session = seat.session, let participant = seat.participant
    {
      perform(.leave(participant), on: session)
    }
    initiatorMayBeGone(id, from: group)
    withdrawOffer(from: id, group.isClosed ? .ended(.groupClosed) : .notEligible)
    seats[id]?.leaveGroup()
    turn.say(.front(.unfollow(.group(group.id), id)))
    sayPlace(of: id)
  }

  private mutating func initiatorMayBeGone(_ device: DeviceID, from group: Group) {
    guard let id = group.session, let session = sessions[id]?.session,
      session.initiator.device == device, session.joinBy != nil
    else { return }
    perform(.initiatorGone, on: id)
  }
}

extension SessionEvent {
  /// The participants who take part before the event but not after it.
  func leaving(_ participants: Roster<Participant>) -> [Participant] {
    switch self {
    case .left(let id, _): participants[id].map { [$0] } ?? []
    case .ended: Array(participants.values)
    default: []
    }
  }
}

extension Groups {
  mutating func follow(
    _ event: SessionEvent, in id: SessionID, leaving: [Participant]
  ) {
    switch event {
    case .left(_, let reason):
      for participant in leaving { release(participant, from: id, reason) }
      if case .removed(_, isBanned: true) = reason { removeBanned(from: id, reason) }
    case .activated, .activitySet, .queue(.selected, _):
      if let session = sessions[id]?.session { announce(session) }
    case .playback(.itemSelected(_, let who)), .playback(.suspensionEnded(let who, _)):
      if let session = sessions[id]?.session { tellMismatch(of: who, in: session) }
    case .invited, .invitationsRevoked, .invitationsExpired, .invitationAnswered(_, .accepted, _):
      followInvitations(event, in: id)
    case .invitationAnswered(let user, .declined, _):
      withdrawOffers(of: id, from: user)
      followInvitations(event, in: id)
    case .attachmentAdded(let attachment): follow(event, of: attachment.id)
    case .attachmentRemoved(let attachment, _): follow(event, of: attachment)
    case .ended(let reason):
      if let group = sessions[id]?.session?.group { dissolve(id, of: group, reason, leaving) }
    default: break
    }
  }

  /// Tells a participant who opened another item than the others that they watch something else, so
  /// that it can switch; the item may be another film or another name of the same one.
  private mutating func tellMismatch(of id: ParticipantID, in session: GroupSession) {
    let participants = session.playback.participants
    guard let shared = session.activity.media?.item, let me = participants[id],
      let item = me.item, item != shared, me.isAttached,
      participants.firstValue(where: { $0.item == shared && $0.isConnected }) != nil,
      let device = session.participants[id]?.device
    else { return }
    turn.send(.itemMismatch(session.id, item: item, others: shared), to: device)
  }

  /// Ends a participant's stay; the departure is the last event that its device receives.
  private mutating func release(
    _ participant: Participant, from session: SessionID, _ reason: LeaveReason
  ) {
    sessions[session]?.delays.forget(participant.id)
    sessions[session]?.offsets[participant.id] = nil
    turn.say(.people(.sessionOver(session, of: participant.user, on: participant.device)))
    guard seats[participant.device]?.participant == participant.id else { return }
    seats[participant.device]?.leaveSession()
    seats[participant.device]?.departure = .from(session, reason)
    turn.say(.front(.unfollow(.session(session), participant.device)))
    sayPlace(of: participant.device)
  }

  private mutating func dissolve(
    _ session: SessionID, of group: GroupID, _ reason: EndReason, _ leaving: [Participant]
  ) {
    turn.say(.front(.disperse(.session(session))))
    dissolveAudience(of: session)
    for participant in leaving where seats[participant.device]?.participant == participant.id {
      seats[participant.device]?.leaveSession()
      sayPlace(of: participant.device)
    }
    for device in members(of: group) where seats[device]?.offered == session {
      withdrawOffer(from: device, .ended(reason))
    }
    perform(GroupWork(command: .command(.endSession(session))), on: group)
    for participant in leaving {
      turn.say(.people(.sessionOver(session, of: participant.user, on: participant.device)))
    }
    tellEnd(of: .session(session), in: group)
  }
}

// MARK: Eligibility and offers

extension Groups {
  private mutating func updateEligibility(
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
      let live = group.session, let session = sessions[live]?.session
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
    let group = seat.group.flatMap { groups[$0]?.group }
    let eligibility =
      seat.isVisitor && seat.isConnected
      ? .eligible
      : group?.eligibility(of: id, limits: turn.limits) ?? .ineligible(.notInGroup)
    // Its group is about to store that it is back, and it is told then.
    guard !seat.isConnected || eligibility != .ineligible(.notConnected) else { return }
    guard isForced || eligibility != seat.eligibility else { return }
    seats[id]?.eligibility = eligibility
    turn.send(.eligibility(eligibility), to: id)
    guard let live = group?.session, let session = sessions[live]?.session else { return }
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
  private func members(of group: GroupID) -> [DeviceID] {
    let visitors = groups[group]?.visitors.value ?? []
    return (groups[group]?.group?.members.keys.sorted() ?? []) + visitors.sorted()
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
    case .eligible where !mayWatch(session, seat): notify(of: session, id)
    case .eligible, .ineligible(.alone):
      guard destination(of: seat).device == id else { break }
      seats[id]?.offered = session.id
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
  private mutating func withdrawOffers(of session: SessionID, from user: UserID) {
    let group = sessions[session]?.session.flatMap { groups[$0.group]?.group }
    for member in group?.members.values.filter({ $0.user == user }) ?? []
    where seats[member.device]?.offered == session {
      withdrawOffer(from: member.device, .declined)
    }
  }

  mutating func withdrawOffer(from id: DeviceID, _ reason: OfferWithdrawal) {
    guard let offered = seats[id]?.offered else { return }
    seats[id]?.offered = nil
    turn.send(.offerWithdrawn(offered, reason), to: id)
  }
}
