import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

// The consequences of events for the rest of the server, what subscribers of objects are told, and what
// is measured or passed on without being stored.

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
      if let session = group.session { perform(.uninvite(user), on: session) }
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
      for device in members(of: group.id)
      where Presence(of: seats[device], in: group.id) == .away {
        turn.say(.front(.missedClosing(device)))
      }
      for device in group.members.keys { depart(device, from: group, nil) }
      endVisits(to: group.id)
    }
    updateEligibility(after: event, in: group, before: before)
  }

  /// Sends new members the group's state, and every event from then on.
  ///
  /// It includes devices whose short absence the group never noticed.
  mutating func admit(_ joiners: [DeviceID], to id: GroupID) {
    guard let group = rooms.groups[id]?.group, !group.isClosed else { return }
    var newcomers: [DeviceID] = []
    // Some may have left again in the same batch.
    let joiners = joiners.filter {
      group.members[$0] != nil && seats[$0].map { $0.group ?? id == id } == true
    }
    // Who was told before that it may take part, as a visitor, may now join what it was not offered.
    let visitors = joiners.filter { seats[$0]?.isVisitor == true && seats[$0]?.offered == nil }
    for joiner in joiners {
      endVisitAsMember(joiner, of: id)
      seats[joiner]?.enter(id)
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
    for joiner in joiners { tellEligibility(of: joiner, isForced: visitors.contains(joiner)) }
    // Another member changes the others' eligibility only when the minimum number is reached.
    guard group.connectedCount - joiners.count < turn.limits.eligibleMembers else { return }
    for device in group.members.keys { tellEligibility(of: device) }
  }

  /// Ends the previous session of a group that has a new live session.
  private mutating func replace(_ old: SessionID, by new: SessionID) {
    guard rooms.sessions[old] != nil, old != new else { return }
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
    if seat.isVisitor { onlookers.remove(id, from: group.id) }
    seats[id]?.leaveGroup()
    turn.say(.front(.unfollow(.group(group.id), id)))
    sayPlace(of: id)
  }

  private mutating func initiatorMayBeGone(_ device: DeviceID, from group: Group) {
    guard let id = group.session, let session = rooms.sessions[id]?.session,
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
      if let session = rooms.sessions[id]?.session { announce(session) }
    case .playback(.itemSelected(_, let who)), .playback(.suspensionEnded(let who, _)):
      if let session = rooms.sessions[id]?.session { tellMismatch(of: who, in: session) }
    case .invited, .invitationsRevoked, .invitationsExpired, .invitationAnswered(_, .accepted, _):
      followInvitations(event, in: id)
    case .invitationAnswered(let user, .declined, _):
      withdrawOffers(of: id, from: user)
      followInvitations(event, in: id)
    case .attachmentAdded(let attachment):
      AttachmentLanes.follow(event, of: attachment.id, in: &self)
    case .attachmentRemoved(let attachment, _):
      AttachmentLanes.follow(event, of: attachment, in: &self)
    case .ended(let reason):
      if let group = rooms.sessions[id]?.session?.group { dissolve(id, of: group, reason, leaving) }
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
    rooms.forget(participant.id, in: session)
    turn.say(.people(.sessionOver(session, of: participant.user, on: participant.device)))
    guard seats[participant.device]?.participant == participant.id else { return }
    seats[participant.device]?.leaveSession()
    seats[participant.device]?.depart(from: session, reason)
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

// MARK: Topics and objects

extension Groups {
  /// Checks that a member subscribes to an object that is there, and that there is room.
  func checkSubscription(to object: ServerObject, _ seat: Seat) throws(ProtocolError) {
    guard let group = rooms.group(of: object), seat.group == group, seat.mayEnter(group) else {
      throw rooms.unknown(object)
    }
    let subscribers = told.subscribers(of: object)
    let limit = notifications.policy.objectSubscribers
    guard subscribers.count < limit || subscribers.contains(seat.user) else {
      throw ProtocolError(.tooManySubscriptions, limit: limit, reason: "subscribers")
    }
  }

  /// Subscribes a person to a topic or an object.
  mutating func subscribe(_ user: UserID, to subscription: Subscription) {
    guard rooms.maySubscribe(subscription, user) else {
      // The object ended, or the person was removed, before the subscription was stored.
      return turn.say(.people(.subscriptionsOver([subscription], of: user)))
    }
    switch subscription {
    case .topic(let topic): reach.set(user, of: topic, true)
    case .object(let object):
      guard let state = rooms.state(of: object) else { return }
      told.subscribe(user, to: object, from: state)
    }
  }

  /// Unsubscribes a person from a topic or an object.
  mutating func unsubscribe(_ user: UserID, from subscription: Subscription) {
    switch subscription {
    case .topic(let topic): reach.set(user, of: topic, false)
    case .object(let object): told.unsubscribe(user, from: object)
    }
  }

  /// Notifies the subscribers of the objects that changed.
  ///
  /// - Parameter isRetold: whether to notify without a change and without the difference, because
  ///   the server restarted and does not know what it told last.
  mutating func tellChanges(in bucket: Bucket, isRetold: Bool = false) {
    guard told.hasSubscribers(bucket), !rooms.isOver(bucket) else { return }
    for change in told.takeChanges(in: bucket, isRetold: isRetold, rooms.state) {
      guard let group = rooms.group(of: change.object) else { continue }
      let notification = change.object.notification(
        of: .objectUpdated, change.delta, version: change.version, in: group, at: turn.now,
        notifications)
      for user in change.subscribers {
        turn.say(.people(.post(notification, to: user, isOptional: true)))
      }
    }
  }

  /// Notifies the subscribers that a session or a group is over, and ends their subscriptions.
  mutating func tellEnd(of bucket: Bucket, in group: GroupID) {
    for (user, objects) in told.subscribers(in: bucket) {
      guard let object = objects.first else { continue }
      tell(.bucketDeleted, of: object, in: group, to: user)
      end(objects.map { .object($0) }, of: user)
    }
  }

  /// Notifies the subscribers that an object was removed, and ends their subscriptions.
  mutating func tellRemoval(of id: ObjectID, from group: GroupID) {
    let object = ServerObject.own(id, of: group)
    for user in told.subscribers(of: object).sorted() {
      tell(.objectDeleted, of: object, in: group, to: user)
      end([.object(object)], of: user)
    }
  }

  private mutating func tell(
    _ kind: ObjectChange.Kind, of object: ServerObject, in group: GroupID, to user: UserID
  ) {
    let version: Int64? =
      switch object.bucket {
      case .session: nil
      case .group(let id): Int64(rooms.groups[id]?.group?.seq ?? 0)
      }
    let notification = object.notification(
      of: kind, version: version, in: group, at: turn.now, notifications)
    turn.say(.people(.post(notification, to: user)))
  }

  /// Ends subscriptions at once, whenever the person's tray can store that.
  mutating func end(_ subscriptions: [Subscription], of user: UserID) {
    guard !subscriptions.isEmpty else { return }
    for subscription in subscriptions { unsubscribe(user, from: subscription) }
    turn.say(.people(.subscriptionsOver(subscriptions, of: user)))
  }

  /// Ends what a person who was removed for good follows in a group.
  mutating func endSubscriptions(of user: UserID, in group: Group) {
    let buckets = [Bucket.group(group.id)] + (group.session.map { [.session($0)] } ?? [])
    let objects = buckets.flatMap { told.subscribers(in: $0)[user] ?? [] }
    let topics = reach.topics(of: group.id, subscribedBy: user)
    end(
      objects.map { Subscription.object($0) } + topics.map { Subscription.topic($0) }, of: user)
  }

  /// Answers with an object's current state; reads only, and is not remembered.
  mutating func tellState(
    of object: ServerObject, to seat: Seat, _ done: Reply
  ) throws(ProtocolError) {
    // Members may read, and subscribers who were members when they subscribed, on a device whose
    // credential names the group.
    guard let group = rooms.group(of: object), seat.mayEnter(group),
      seat.group == group || told.subscribers(of: object).contains(seat.user),
      let state = told.state(of: object) ?? rooms.state(of: object)
    else { throw rooms.unknown(object) }
    let bytes = PayloadValue.dictionary(state.fields).jsonByteCount
    try take(Cost.answering(bytes), from: seat)
    turn.send(
      .objectState(done.id, object, version: state.version, state.fields), to: seat.device)
  }
}

// MARK: What is not worth storing

extension Groups {
  /// Records how long a message takes to a device.
  ///
  /// The delay is capped, so that a peer that reports minutes does not slow down the others. Only
  /// participants count, because the session would never forget the delay of a refused joiner.
  mutating func note(_ delay: Duration, of device: DeviceID) {
    guard let (session, participant) = participation(of: device) else { return }
    rooms.note(min(delay, turn.limits.longestLead), of: participant, in: session)
  }

  /// Records how far a player was from the group's position.
  mutating func note(_ report: PositionReport, from device: DeviceID) {
    guard let id = seats[device]?.session, let participant = seats[device]?.participant,
      let isSpectator = seats[device]?.isSpectator,
      isSpectator
        || rooms.sessions[id]?.session?.playback.participants[participant]?.item == report.item,
      let position = rooms.sessions[id]?.session?.playback.timelines[report.item]?.position(
        at: report.at)
    else { return }
    let offset = report.mediaTime - position
    if isSpectator {
      noteSpectator(device, offset, in: id)
    } else {
      rooms.note(offset: offset, of: participant, in: id)
    }
    apart.note(offset < .zero ? .zero - offset : offset)
  }

  /// Passes a droppable message on; a slow peer may miss it.
  mutating func relay(_ message: DroppableMessage, from device: DeviceID) {
    guard let id = seats[device]?.session, message.session ?? id == id,
      let source = seats[device]?.participant,
      rooms.sessions[id]?.session?.permits(source, .sendMessages) == true,
      message.payload.text.utf8.count <= turn.limits.messageBytes,
      isPaid(message, by: device, in: id)
    else { return }
    let recipients: FrontWord.Recipients =
      switch message.recipients {
      case .all: .except([device])
      case .only(let ids): .only(rooms.devices(of: ids, in: id))
      }
    let relayed = ServerMessage.message(id, from: source, message.payload)
    turn.say(.front(.publish(relayed, on: .session(id), to: recipients)))
  }

  /// Takes the cost of a droppable message; false if it has to be dropped.
  private mutating func isPaid(
    _ message: DroppableMessage, by device: DeviceID, in id: SessionID
  ) -> Bool {
    do throws(ProtocolError) {
      let bytes = Cost.envelope + message.payload.byteBound
      _ = try takeCost(ofPassing: bytes, isForAll: true, by: device, in: id)
      return true
    } catch { return false }
  }
}
