import GroupSessions
import UserNotifications
import Vocabulary
import Wire

/// The groups and their sessions as the journal has them, each with its lane.
///
/// What a request or an event needs to know of them is asked here.
struct Rooms: Sendable {
  private(set) var groups = PagedTable<GroupID, GroupRoom>()
  private(set) var sessions = PagedTable<SessionID, SessionRoom>()
  private var tombstones = Tombstones()

  // MARK: Opening and closing

  /// Adds a group whose opening is not stored yet.
  mutating func open(_ id: GroupID) {
    groups[id] = GroupRoom(GroupAggregate(opening: id))
  }

  /// Adds a session whose beginning is not stored yet.
  mutating func begin(_ id: SessionID) {
    sessions[id] = SessionRoom(SessionAggregate(beginning: id))
  }

  mutating func remove(_ id: GroupID) { groups[id] = nil }

  /// Removes a session that never began.
  mutating func remove(_ id: SessionID) { sessions[id] = nil }

  /// Removes a session that has ended, and remembers why.
  ///
  /// - Parameters:
  ///   - id: the session.
  ///   - reason: why it ended.
  ///   - bound: how many ended sessions are remembered.
  mutating func remove(_ id: SessionID, _ reason: EndReason, rememberingAtMost bound: Int) {
    sessions[id] = nil
    tombstones.add(id, reason, limit: bound)
  }

  /// Restores what the journal has.
  mutating func restore(_ recovery: Recovery, _ limits: Limits) {
    for ending in recovery.endings {
      tombstones.add(ending.session, ending.reason, limit: limits.tombstones)
    }
    groups.reserve(recovery.groups.count)
    sessions.reserve(recovery.sessions.count)
    for group in recovery.groups { groups[group.id] = GroupRoom(GroupAggregate(group)) }
    for recovered in recovery.sessions {
      sessions[recovered.session.id] = SessionRoom(recovered, limits)
    }
  }

  // MARK: Changes

  /// Changes a group's lane in place; `nil` if there is none.
  mutating func change<Result>(
    _ id: GroupID, _ body: (inout Lane<GroupAggregate>) -> Result
  ) -> Result? {
    groups.change(id) { $0?.lane.change(body) }
  }

  /// Changes a session's lane in place; `nil` if there is none.
  mutating func change<Result>(
    _ id: SessionID, _ body: (inout Lane<SessionAggregate>) -> Result
  ) -> Result? {
    sessions.change(id) { $0?.change(body) }
  }

  /// Applies a session's event, and keeps it in the tail for devices that resume.
  mutating func apply(
    _ event: SessionEvent, at instant: Instant, to id: SessionID, _ limits: Limits
  ) {
    sessions.change(id) { $0?.apply(event, at: instant, limits) }
  }

  /// Notes how long a message takes to a participant.
  mutating func note(_ delay: Duration, of participant: ParticipantID, in id: SessionID) {
    sessions.change(id) { $0?.note(delay, of: participant) }
  }

  /// Notes how far a participant's player is from the group's position.
  mutating func note(offset: Duration, of participant: ParticipantID, in id: SessionID) {
    sessions.change(id) { $0?.note(offset: offset, of: participant) }
  }

  /// Forgets what was measured of a participant.
  mutating func forget(_ participant: ParticipantID, in id: SessionID) {
    sessions.change(id) { $0?.forget(participant) }
  }

  // MARK: Sessions

  /// Why a session that is no longer here ended; `nil` if it never was, or long ago.
  func ending(of id: SessionID) -> EndReason? { tombstones[id] }

  /// The error for a session that is not here: it ended, or never existed.
  func unknownSession(_ id: SessionID) -> ProtocolError {
    tombstones[id].map { ProtocolError(.ended($0)) } ?? ProtocolError(.unknownSession)
  }

  /// The error for a device that takes part in no session, or not in the named one.
  func notJoined(_ named: SessionID?) -> ProtocolError {
    guard let named, sessions[named] == nil else { return ProtocolError(.notJoined) }
    return unknownSession(named)
  }

  func devices(of participants: [ParticipantID], in session: SessionID) -> Set<DeviceID> {
    Set(participants.compactMap { sessions[session]?.session?.participants[$0]?.device })
  }

  /// The groups whose live session this person began.
  func groups(ofSessionsBegunBy user: UserID) -> [GroupID] {
    sessions.keys.compactMap { sessions[$0]?.session }
      .filter { $0.initiator.user == user }.map(\.group).sorted()
  }

  // MARK: Members

  /// Whether a person is in a group with any of their devices.
  func isMember(_ user: UserID, of group: GroupID) -> Bool {
    groups[group]?.group?.members.values.contains { $0.user == user } == true
  }

  /// Whether a person was removed from a group for good.
  func isRemoved(_ user: UserID, from group: GroupID) -> Bool {
    groups[group]?.group?.entry?.removed.contains(user) == true
  }

  /// Whether a session lives, and nobody has removed the person from it or its group for good.
  func isOpen(_ id: SessionID, to user: UserID) -> Bool {
    guard let session = sessions[id]?.session else { return false }
    return !session.banned.users.contains(user) && !isRemoved(user, from: session.group)
  }

  /// Why the asking device cannot take part in a session; `nil` if it can.
  ///
  /// The device is connected, although its group may not have stored yet that it is back.
  func obstacle(for seat: Seat) -> Ineligibility? {
    guard let group = seat.group.flatMap({ groups[$0]?.group }) else { return .notInGroup }
    return group.obstacle(for: seat.device)
  }

  /// Checks that a session is in the device's group, else it counts as unknown, and that the device
  /// is eligible.
  func checkMembership(of id: SessionID, _ seat: Seat) throws(ProtocolError) {
    guard let session = sessions[id]?.session, seat.group == session.group else {
      throw unknownSession(id)
    }
    if let obstacle = obstacle(for: seat) {
      throw ProtocolError(.notEligible, reason: obstacle.rawValue)
    }
  }

  /// The identity that takes part for a device: its own, or that of the person's preferred device.
  func destination(of seat: Seat, _ limits: Limits) -> Identity {
    let group = seat.group.flatMap { groups[$0]?.group }
    return group?.destination(of: seat.device, limits: limits)?.identity ?? seat.identity
  }
}

// MARK: Objects

extension Rooms {
  /// The group of an object; `nil` if the object is over, or was never there.
  func group(of object: ServerObject) -> GroupID? {
    switch object {
    case .part(_, let session): sessions[session]?.session?.group
    case .own(let id, let group): groups[group]?.group?.objects[id] == nil ? nil : group
    }
  }

  /// The group whose members may subscribe; `nil` for other topics, and for objects that are over.
  func group(of subscription: Subscription) -> GroupID? {
    switch subscription {
    case .topic(let topic):
      if case .group(let group)? = TopicOwner(topic) { group } else { nil }
    case .object(let object): group(of: object)
    }
  }

  /// An object as it is; `nil` if it is over, or was never there.
  func state(of object: ServerObject) -> ObjectState? {
    switch object {
    case .part(let part, let session):
      sessions[session]?.session.map {
        ObjectState(version: Int64($0.seq), fields: part.fields(of: $0))
      }
    case .own(let id, let group):
      groups[group]?.group?.objects[id].map {
        ObjectState(version: Int64($0.version), fields: $0.fields)
      }
    }
  }

  /// Whether the session or the group of a bucket is over.
  func isOver(_ bucket: Bucket) -> Bool {
    switch bucket {
    case .session(let id):
      if case .ended? = sessions[id]?.session?.state { true } else { false }
    case .group(let id): groups[id]?.group?.isClosed == true
    }
  }

  /// Whether a person may be subscribed to a topic or an object: the person was not removed from its
  /// group for good, and the object is still there.
  func maySubscribe(_ subscription: Subscription, _ user: UserID) -> Bool {
    guard let group = group(of: subscription) else { return subscription.object == nil }
    return !isRemoved(user, from: group)
  }

  /// The error for an object that is over, or was never there.
  func unknown(_ object: ServerObject) -> ProtocolError {
    switch object {
    case .part(_, let session): unknownSession(session)
    case .own: ProtocolError(.unknownObject)
    }
  }
}

// MARK: Doors

extension Rooms {
  /// Checks that a new group may be opened.
  func checkFounding(with pass: Pass, _ limits: Limits) throws(ProtocolError) {
    switch pass {
    case .free, .founding: break
    case .nothing: throw ProtocolError(.keyRequired)
    case .key, .wrong: throw ProtocolError(.keyRefused)
    }
    guard groups.count < limits.groups else {
      throw ProtocolError(.groupsFull, limit: limits.groups)
    }
  }

  /// Checks what somebody shows at a group's door, as a visitor or as a member.
  func checkDoor(of group: Group, _ seat: Seat, _ pass: Pass, at now: Instant, _ limits: Limits)
    throws(ProtocolError)
  {
    guard isForVisitors(group.id, seat, at: now, limits) else {
      return try check(seat.member, group, pass, at: now, limits)
    }
    do throws(GroupRejection) {
      try group.checkVisitor(seat.user, with: pass)
    } catch { throw ProtocolError(error) }
  }

  /// Refuses a joiner whom the group would not let in, before anything is stored.
  func check(_ member: Member, _ group: Group, _ pass: Pass, at now: Instant, _ limits: Limits)
    throws(ProtocolError)
  {
    do throws(GroupRejection) {
      _ = try group.decide(.join(member, with: pass), at: now, limits: limits)
    } catch { throw ProtocolError(error) }
  }

  /// Whether somebody who enters a group becomes a visitor: its live session has an audience, and
  /// its members have taken the places that are kept for nobody.
  func isForVisitors(_ id: GroupID, _ seat: Seat, at now: Instant, _ limits: Limits) -> Bool {
    guard seat.understandsAudiences, let room = groups[id], let group = room.group,
      group.members[seat.device] == nil, room.isFull(limits.namedPlaces),
      let session = group.session.flatMap({ sessions[$0]?.session }), session.hasAudience
    else { return false }
    return !session.isExpected(seat.identity, at: now)
  }

  /// Whether somebody who joins a session finds no place and may be a spectator.
  func isForSpectators(_ session: GroupSession, _ seat: Seat, at now: Instant, _ limits: Limits)
    -> Bool
  {
    guard mayWatch(session, seat), !isReplacing(session, seat) else { return false }
    do throws(SessionRejection) {
      try session.checkRoom(for: seat.identity, at: now, limits)
      return seat.isVisitor && !session.isExpected(seat.identity, at: now)
    } catch { return true }
  }

  /// Whether a device may be a spectator of a session.
  func mayWatch(_ session: GroupSession, _ seat: Seat) -> Bool {
    session.hasAudience && seat.understandsAudiences
      && session.participant(on: seat.device) == nil
      && (seat.isVisitor || obstacle(for: seat) == nil)
  }

  /// Whether the person takes part on another device, which this one replaces.
  private func isReplacing(_ session: GroupSession, _ seat: Seat) -> Bool {
    session.oneDevicePerUser
      && session.participants.firstValue { $0.user == seat.user } != nil
  }
}

// MARK: Status

extension Rooms {
  /// A group's part of a status report; a session that is too large for a report is left out.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - audience: the size of its live session's audience; `nil` if it has none.
  ///   - now: the time of the report.
  ///   - limits: how large a report may be.
  /// - Returns: the part, and how many bytes it takes at most.
  func report(of group: Group, audience: AudienceSize?, at now: Instant, _ limits: Limits) -> (
    report: StatusReport, bytes: Int
  ) {
    let group = group.withoutContributions
    let groupBytes = group.byteBound
    let alone = StatusReport(at: now, peers: 0, groups: [group], sessions: [], places: [])
    guard let room = group.session.flatMap({ sessions[$0] }),
      let session = room.session?.withoutContributions
    else { return (alone, groupBytes) }
    let bytes = groupBytes + session.size.total + room.offsets.count * Self.placeBytes
    guard bytes <= limits.statusBytes else { return (alone, groupBytes) }
    let places = room.offsets.map { id, offset in
      StatusReport.Place(
        participant: id, offset: offset, roundTrip: room.delays.roundTrip(of: id))
    }
    let whole = StatusReport(
      at: now, peers: 0, groups: [group], sessions: [session], places: places,
      audiences: audience.map { [.init(session.id, $0)] } ?? [])
    return (whole, bytes)
  }

  /// A participant's offset and round trip as JSON.
  private static let placeBytes = 120
}

/// One group with its lane.
struct GroupRoom: Sendable {
  fileprivate(set) var lane: Lane<GroupAggregate>

  fileprivate init(_ state: GroupAggregate) {
    lane = Lane(state)
  }

  var group: Group? {
    _read { yield lane.state.group }
  }

  /// Whether the members and those whose joining is being stored take this many places.
  fileprivate func isFull(_ places: Int) -> Bool {
    guard let members = group?.members, members.count < places else { return true }
    guard members.count + lane.pendingCount >= places else { return false }
    let joining = lane.pending { $0.joiner.map { members[$0] == nil } ?? false }
    return members.count + joining >= places
  }
}
