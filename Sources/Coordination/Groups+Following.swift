import GroupSessions
import Playback
import Signatures
import UserNotifications
import Vocabulary
import Wire

// What an event of one aggregate means for the rest of the server.

/// What following a group's event needs to know of the group before it.
struct GroupGlance: Equatable, Sendable {
  let session: SessionID?
  let connectedCount: Int
  /// Whether anybody named a device to play with: then one that goes may leave offers to others.
  let hasPreferences: Bool

  init(_ group: Group) {
    session = group.session
    connectedCount = group.connectedCount
    hasPreferences = !group.preferredDevices.isEmpty
  }
}

extension Groups {
  mutating func follow(_ event: GroupEvent, in group: Group, before: GroupGlance) {
    switch event {
    // Those who join are admitted when all of their batch is applied.
    case .opened, .memberJoined, .memberResumed, .interrupted, .sharingSet, .preferredDeviceSet,
      .sessionEnded:
      break
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
      for device in group.members.keys { depart(device, from: group, nil) }
    }
    updateEligibility(after: event, in: group, before: before)
  }

  /// New members get the group as it is, and every event from there on; so does whoever joins a
  /// group that never noticed it was away.
  mutating func admit(_ joiners: [DeviceID], to id: GroupID) {
    guard let group = groups[id]?.group, !group.isClosed else { return }
    var newcomers: [DeviceID] = []
    // Some may have left again in the same batch.
    let joiners = joiners.filter {
      group.members[$0] != nil && seats[$0].map { $0.group ?? id == id } == true
    }
    for joiner in joiners {
      seats[joiner]?.group = id
      sayPlace(of: joiner)
      guard seats[joiner]?.isConnected == true, seats[joiner]?.followsGroup == false else {
        continue
      }
      followGroup(id, by: joiner)
      newcomers.append(joiner)
    }
    if !newcomers.isEmpty { turn.say(.front(.tellEach(.group(group), newcomers))) }
    for joiner in joiners { tellEligibility(of: joiner) }
    // One more member changes the others' eligibility only where two become a group.
    guard group.connectedCount - joiners.count < turn.limits.eligibleMembers else { return }
    for device in group.members.keys { tellEligibility(of: device) }
  }

  /// A group that takes another session as its live one ends the one before.
  private mutating func replace(_ old: SessionID, by new: SessionID) {
    guard sessions[old] != nil, old != new else { return }
    perform(SessionWork(command: .command(.terminate(.replaced(by: new))), reply: nil), on: old)
  }

  /// Leaving the group is leaving the call: the session goes with it.
  ///
  /// Of those who are lost, and of a closed group, the session takes leave by itself.
  private mutating func depart(
    _ id: DeviceID, from group: Group, _ reason: MemberLeaveReason?
  ) {
    guard let seat = seats[id], seat.group == group.id else { return }
    let isHere = reason == .left || (reason == .connectionLost && seat.isConnected)
    if isHere, let session = seat.session, let participant = seat.participant {
      perform(.leave(participant), on: session)
    }
    initiatorMayBeGone(id, from: group)
    withdrawOffer(from: id, group.isClosed ? .ended(.groupClosed) : .notEligible)
    seats[id]?.group = nil
    seats[id]?.followsGroup = false
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
  /// Those who take part before the event and no longer after it.
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
    case .activated, .activitySet, .queue(.selected, _):
      if let session = sessions[id]?.session { announce(session) }
    case .playback(.itemSelected(_, let who)), .playback(.suspensionEnded(let who, _)):
      if let session = sessions[id]?.session { tellMismatch(of: who, in: session) }
    case .invited, .invitationsRevoked, .invitationsExpired, .invitationAnswered(_, .accepted, _):
      followInvitations(event, in: id)
    case .invitationAnswered(let user, .declined, _):
      withdrawOffers(of: id, from: user)
      followInvitations(event, in: id)
    case .ended(let reason):
      if let group = sessions[id]?.session?.group { dissolve(id, of: group, reason, leaving) }
    default: break
    }
  }

  /// Two films, or two names of one film: whoever opened something else than the others watch is
  /// told so, once for each time, and may go over.
  private mutating func tellMismatch(of id: ParticipantID, in session: GroupSession) {
    let participants = session.playback.participants
    guard let shared = session.activity.media?.item, let me = participants[id],
      let item = me.item, item != shared, me.isAttached,
      participants.firstValue(where: { $0.item == shared && $0.isConnected }) != nil,
      let device = session.participants[id]?.device
    else { return }
    turn.send(.itemMismatch(session.id, item: item, others: shared), to: device)
  }

  /// The device of a participant who left hears of it as its last event, and of nothing after.
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
    for participant in leaving where seats[participant.device]?.participant == participant.id {
      seats[participant.device]?.leaveSession()
      sayPlace(of: participant.device)
    }
    for device in groups[group]?.group?.members.keys.sorted() ?? []
    where seats[device]?.offered == session {
      withdrawOffer(from: device, .ended(reason))
    }
    perform(GroupWork(command: .command(.endSession(session))), on: group)
    for participant in leaving {
      turn.say(.people(.sessionOver(session, of: participant.user, on: participant.device)))
    }
    tellEnd(of: session, in: group)
  }
}

// MARK: Eligibility and offers

extension Groups {
  private mutating func updateEligibility(
    after event: GroupEvent, in group: Group, before: GroupGlance
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
    case .opened, .memberJoined, .interrupted, .preferredDeviceSet, .sessionStarted, .sessionEnded:
      break
    }
    reviewDestinations(after: event, in: group, before)
  }

  /// Where a person's preferred device comes or goes, the offer of the live session comes to the
  /// devices that are to have it now.
  private mutating func reviewDestinations(
    after event: GroupEvent, in group: Group, _ before: GroupGlance
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

  /// One more member changes the others' eligibility only where two become a group.
  private mutating func tellAllIfThresholdPassed(_ group: Group, _ before: GroupGlance) {
    let least = turn.limits.eligibleMembers
    let was = before.connectedCount >= least
    guard was != (group.connectedCount >= least) else { return }
    for device in group.members.keys { tellEligibility(of: device) }
  }

  /// Pushes a device's eligibility if it changed, and the live session's offer with it.
  mutating func tellEligibility(of id: DeviceID, isForced: Bool = false) {
    guard let seat = seats[id] else { return }
    let group = seat.group.flatMap { groups[$0]?.group }
    let eligibility =
      group?.eligibility(of: id, limits: turn.limits) ?? .ineligible(.notInGroup)
    guard isForced || eligibility != seat.eligibility else { return }
    seats[id]?.eligibility = eligibility
    turn.send(.eligibility(eligibility), to: id)
    guard let live = group?.session, let session = sessions[live]?.session else { return }
    offer(session, to: id)
  }

  /// Tells a group's members of a session: offers to those who can join, notices to the others.
  mutating func announce(_ session: GroupSession) {
    let initiator = session.initiator.device
    offer(session, to: initiator)
    for device in groups[session.group]?.group?.members.keys.sorted() ?? []
    where device != initiator {
      offer(session, to: device)
    }
  }

  /// Offers a session to a device, or tells it of the activity.
  ///
  /// - Parameter isWanted: whether the device asked, so that it hears of what it left or declined,
  ///   too, and when it is alone.
  mutating func offer(_ session: GroupSession, to id: DeviceID, isWanted: Bool = false) {
    guard let seat = seats[id], seat.isConnected, seat.group == session.group,
      seat.session != session.id, !session.banned.contains(id)
    else { return }
    if case .ended = session.state { return }
    guard
      isWanted
        || (seat.departure?.session != session.id && !session.isDeclined(by: seat.identity))
    else { return }
    switch seat.eligibility {
    case .ineligible(.alone) where !isWanted: break  // An offer that stands goes on standing.
    case .eligible, .ineligible(.alone):
      guard destination(of: seat).device == id else { break }
      seats[id]?.offered = session.id
      let invitation = session.invitations[seat.user]
      let isAwaited = invitation?.isAwaited(at: turn.now) == true
      turn.send(.offer(Offer(session, isAwaited: isAwaited)), to: id)
    case .ineligible(let reason):
      if seat.offered == session.id { withdrawOffer(from: id, .notEligible) }
      guard reason != .notConnected else { return }
      let metadata = session.activity.metadata
      turn.send(
        .activityNotice(
          ActivityNotice(
            session: session.id, title: metadata.title, fallbackURL: metadata.fallbackURL)),
        to: id)
    }
  }

  /// A person who declined an invitation did so for all their devices.
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
