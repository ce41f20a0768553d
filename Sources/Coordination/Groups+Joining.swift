import GroupSessions
import Playback
import Vocabulary
import Wire

// How devices enter and leave groups and sessions: as members and participants, or as visitors and
// spectators, of whom nothing is stored. After a restart, a member who watched is seated again when its
// device resumes; a visitor joins anew.

extension Groups {
  /// Says whether a device could join a group, before its person's name is tied to a credential.
  ///
  /// A group that exists asks everybody for its key here: it may have let the name in when the name
  /// was another person's.
  mutating func knock(at id: GroupID, with key: String?, _ reply: Reply) {
    guard let seat = seats[reply.device] else { return }
    let group = rooms.groups[id]?.group
    let pass = access.pass(to: id, group, with: key, by: seat.user)
    do throws(ProtocolError) {
      if let group {
        try rooms.checkDoor(of: group, seat, pass, at: turn.now, turn.limits)
        switch pass {
        case .key: break
        case .nothing: throw ProtocolError(.keyRequired)
        case .free, .founding, .wrong: throw ProtocolError(.keyRefused)
        }
      } else {
        try rooms.checkFounding(with: pass, turn.limits)
      }
      turn.say(.front(.opened(reply)))
    } catch {
      turn.refuse(reply, error)
    }
  }

  /// Joins a group; the device counts as a member at once, so that its next requests wait behind
  /// the join.
  mutating func joinGroup(
    _ id: GroupID, with key: String?, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    if let current = seat.group, current != id { throw ProtocolError(.alreadyInGroup) }
    let pass = access.pass(to: id, rooms.groups[id]?.group, with: key, by: seat.user)
    if rooms.groups[id] == nil {
      try rooms.checkFounding(with: pass, turn.limits)
    } else if seat.group == nil || seat.isVisitor, let group = rooms.groups[id]?.group,
      rooms.isForVisitors(id, seat, at: turn.now, turn.limits)
    {
      try rooms.checkDoor(of: group, seat, pass, at: turn.now, turn.limits)
      guard !seat.isVisitor else {
        return turn.tell(reply.recorded(.answered(.done(seq: group.seq))))
      }
      return try visit(group, seat, reply)
    } else if pass != .free, let group = rooms.groups[id]?.group {
      try rooms.check(seat.member, group, pass, at: turn.now, turn.limits)
    }
    let join = GroupCommand.join(seat.member, with: pass)
    let cost = seat.group == nil ? try takeCost(of: join, in: id, by: seat) : nil
    if rooms.groups[id] == nil {
      rooms.open(id)
      perform(GroupWork(command: .open(by: seat.user, hasKey: pass != .free)), on: id)
    }
    seats[seat.device]?.enter(id)
    sayPlace(of: seat.device)
    perform(GroupWork(command: .command(join), reply: reply, cost: cost), on: id)
  }

  /// Joins a group anew that closed while the join waited.
  mutating func reopen(_ id: GroupID, _ reply: Reply) {
    guard let seat = seats[reply.device], seat.life == reply.life else { return }
    do throws(ProtocolError) {
      try joinGroup(id, with: nil, seat, reply)
    } catch {
      turn.refuse(reply, error)
      handleDeferred(of: reply.device, after: error)
      sayPlace(of: reply.device)
    }
  }

  mutating func join(
    _ id: SessionID, handoffFrom: ParticipantID?, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    if let current = seat.session, current != id { throw ProtocolError(.alreadyInSession) }
    let session = rooms.sessions[id]?.session
    let mayVisit = seat.isVisitor && session?.group == seat.group && session?.hasAudience == true
    if !mayVisit { try rooms.checkMembership(of: id, seat) }
    if let session {
      if handoffFrom == nil, rooms.isForSpectators(session, seat, at: turn.now, turn.limits) {
        return try spectate(id, seat, reply)
      }
      if mayVisit {
        return try admitVisitor(
          seat, to: session,
          for: { .join(Joiner(id: $0.id, identity: $0.identity, handoffFrom: handoffFrom)) },
          before: .join(id, handoffFrom: handoffFrom), reply)
      }
    }
    let cost = try takeCost(
      ofPassing: Cost.envelope, isForAll: false, by: seat.device, in: id)
    let joiner = joiner(seat, id, handoffFrom: handoffFrom)
    perform(
      SessionWork(command: .command(.join(joiner)), reply: reply.wanting(.joined), cost: cost),
      on: id)
  }

  /// Leaves a session: a spectator alone, of whom nobody is told.
  mutating func leave(_ named: SessionID?, _ reply: Reply) throws(ProtocolError) {
    guard let seat = seats[reply.device], seat.isSpectator, named ?? seat.session == seat.session
    else { return try onSession(named, reply) { .leave($0) } }
    leaveAudience(seat.device, reply)
  }

  mutating func leaveGroup(_ seat: Seat, _ reply: Reply) throws(ProtocolError) {
    guard seat.isVisitor else { return try onGroup(.leave(seat.device), reply) }
    turn.tell(reply.recorded(.answered(.done(seq: nil))))
    endVisit(of: seat.device)
  }

  mutating func decline(
    _ id: SessionID, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    guard seat.isVisitor else {
      return try onOffered(id, .decline(seat.device), seat, reply)
    }
    guard rooms.sessions[id]?.session?.group == seat.group else { throw rooms.unknownSession(id) }
    seats[seat.device]?.depart(from: id, .left)
    if seat.offered == id { withdrawOffer(from: seat.device, .declined) }
    turn.tell(reply.recorded(.answered(.done(seq: nil))))
  }

  /// Makes a joiner; its device counts as a participant at once, so that its next requests wait
  /// behind the join.
  mutating func joiner(
    _ seat: Seat, _ id: SessionID, handoffFrom: ParticipantID? = nil
  ) -> Joiner {
    let participant = ParticipantID(turn.mintText(prefix: "p"))
    if seat.session == nil {
      seats[seat.device]?.enter(id, as: participant)
      sayPlace(of: seat.device)
    }
    return Joiner(id: participant, identity: seat.identity, handoffFrom: handoffFrom)
  }
}

// MARK: Visitors

extension Groups {
  /// Lets a visitor in: sends it the group's state, and every event from then on.
  mutating func visit(_ group: Group, _ seat: Seat, _ reply: Reply) throws(ProtocolError) {
    try take(Cost.answering(group.byteBound), from: seat)
    onlookers.insert(seat.device, in: group.id)
    seats[seat.device]?.visit(group.id)
    sayPlace(of: seat.device)
    turn.tell(reply.recorded(.answered(.done(seq: group.seq))))
    tellGroup(group, to: seat.device)
    tellEligibility(of: seat.device)
  }

  /// Sends a device its group's state and key, and every event from then on.
  mutating func tellGroup(_ group: Group, to device: DeviceID) {
    followGroup(group.id, by: device)
    turn.send(.group(group), to: device)
    if let key = access.keyMessage(of: group) { turn.send(key, to: device) }
  }

  /// Makes a visitor a member, because a named place is kept for them now; the request waits until
  /// that is stored.
  ///
  /// - Parameter command: what the session is asked then; if it would refuse, the visitor stays one.
  mutating func admitVisitor(
    _ seat: Seat, to session: GroupSession, for command: (Joiner) -> SessionCommand,
    before request: Request, _ reply: Reply
  ) throws(ProtocolError) {
    guard let id = seat.group, let entry = rooms.groups[id]?.group.map(\.entry) else {
      throw ProtocolError(.notInGroup)
    }
    do throws(SessionRejection) {
      let joiner = Joiner(id: ParticipantID(seat.device.text), identity: seat.identity)
      _ = try session.decide(
        command(joiner), at: turn.now, under: PlaybackConditions(limits: turn.limits))
    } catch {
      if case .full = error { return try spectate(session.id, seat, reply) }
      throw ProtocolError(error)
    }
    try deferUntilJoined(request, reply)
    // The visitor has shown the key at the door.
    let pass = entry?.generation.map { Pass.key(generation: $0) } ?? .free
    perform(GroupWork(command: .command(.join(seat.member, with: pass))), on: id)
  }

  /// Notes that a visitor is a member now.
  mutating func endVisitAsMember(_ device: DeviceID, of id: GroupID) {
    guard seats[device]?.isVisitor == true else { return }
    onlookers.remove(device, from: id)
    seats[device]?.endVisit()
  }

  /// Ends a visit, and what the visitor watches.
  mutating func endVisit(of device: DeviceID) {
    guard let seat = seats[device], seat.isVisitor, let id = seat.group else { return }
    turnOut(device)
    if !seat.deferred.isEmpty {
      // It was about to become a member.
      refuseDeferred(of: device, ProtocolError(.notInGroup))
      perform(GroupWork(command: .command(.leave(device))), on: id)
    }
    onlookers.remove(device, from: id)
    withdrawOffer(from: device, .notEligible)
    seats[device]?.leaveGroup()
    turn.say(.front(.unfollow(.group(id), device)))
    tellEligibility(of: device)
    sayPlace(of: device)
  }

  /// Ends all visits of a group that closes, or those of one person.
  mutating func endVisits(to id: GroupID, of user: UserID? = nil) {
    for device in onlookers.visitors(of: id)
    where user == nil || seats[device]?.user == user {
      endVisit(of: device)
    }
  }

  // MARK: Spectators

  /// Lets a spectator in: sends it the session's state, and every event from then on.
  ///
  /// - Parameter participant: an identifier that was made for the join; many joins may find no place
  ///   at once, for which the random numbers at hand would not suffice.
  mutating func spectate(
    _ id: SessionID, _ seat: Seat, _ reply: Reply, as participant: ParticipantID? = nil
  ) throws(ProtocolError) {
    guard let session = rooms.sessions[id]?.session else { throw rooms.unknownSession(id) }
    do throws(SessionRejection) {
      try session.checkSpectator(seat.identity)
    } catch { throw ProtocolError(error) }
    try take(Cost.answering(session.size.total), from: seat)
    takeSeatInAudience(of: id, seat, as: participant)
    guard let participant = seats[seat.device]?.participant else { return }
    turn.tell(reply.recorded(.answered(.joined(id, participant))))
    welcomeSpectator(seat.device, to: session, as: participant)
  }

  /// Seats a spectator, with a participant of which the session knows nothing.
  private mutating func takeSeatInAudience(
    of id: SessionID, _ seat: Seat, as participant: ParticipantID? = nil
  ) {
    let known = seat.isSpectator ? seat.participant : nil
    let participant = known ?? participant ?? ParticipantID(turn.mintText(prefix: "p"))
    seats[seat.device]?.watch(id, as: participant)
    sayPlace(of: seat.device)
    countSpectator(seat.device, in: id, isHere: true)
  }

  private mutating func welcomeSpectator(
    _ device: DeviceID, to session: GroupSession, as participant: ParticipantID
  ) {
    let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
    turn.send(.snapshot(snapshot), to: device)
    tellAudience(of: session, to: device)
    followSession(session.id, by: device)
  }

  /// Seats a device again that watched before a restart, of which nothing was stored.
  ///
  /// - Returns: whether it is a spectator again.
  mutating func resumeWatching(_ id: SessionID, _ device: DeviceID) -> Bool {
    guard let seat = seats[device], seat.session == nil, seat.departure?.session != id,
      let session = rooms.sessions[id]?.session, seat.group == session.group,
      rooms.mayWatch(session, seat), !session.banned.contains(seat.identity),
      session.state == .open
    else { return false }
    takeSeatInAudience(of: id, seat)
    guard let participant = seats[device]?.participant else { return false }
    welcomeSpectator(device, to: session, as: participant)
    return true
  }

  /// Ends what a spectator watches.
  ///
  /// - Parameter reason: why; the session is not offered again on its own then.
  private mutating func leaveAudience(_ device: DeviceID, _ reason: LeaveReason? = nil) {
    guard let id = seats[device]?.session, vacate(device) else { return }
    if let reason { seats[device]?.depart(from: id, reason) }
    sayPlace(of: device)
  }

  /// Leaves a session as the spectator asks.
  mutating func leaveAudience(_ device: DeviceID, _ reply: Reply) {
    if let id = seats[device]?.session,
      let joining = rooms.sessions[id]?.lane.firstPending(where: { $0.joiner?.device == device })?
        .joiner
    {
      // It had asked for a named place before.
      perform(.leave(joining.id), on: id)
    }
    leaveAudience(device, .left)
    turn.tell(reply.recorded(.answered(.done(seq: nil))))
  }

  /// Takes a spectator out of its session because it is out of the group, and tells it so: of a
  /// spectator there is no event.
  mutating func turnOut(_ device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    let isClosed = seat.group.flatMap { rooms.groups[$0]?.group?.isClosed } == true
    turn.send(isClosed ? .sessionOver(id, .groupClosed) : .sessionLeft(id, .left), to: device)
    vacate(device)
  }

  /// Takes a spectator out of its session; whoever asks for it says where the device is then.
  ///
  /// - Returns: whether it was a spectator.
  @discardableResult
  mutating func vacate(_ device: DeviceID) -> Bool {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return false }
    countSpectator(device, in: id, isHere: false)
    seats[device]?.leaveSession()
    turn.say(.front(.unfollow(.session(id), device)))
    turn.say(.people(.sessionOver(id, of: seat.user, on: device)))
    return true
  }

  /// Notes that a spectator has found a named place.
  mutating func promote(_ device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    countSpectator(device, in: id, isHere: false)
    seats[device]?.endWatching()
  }

  /// Ends what everybody watches in the audience of a session that is over.
  mutating func dissolveAudience(of id: SessionID) {
    for device in onlookers.spectators(of: id) {
      leaveAudience(device)
    }
    turn.disarm(.audience(id))
  }

  /// Removes the spectators whom a session has banned.
  mutating func removeBanned(from id: SessionID, _ reason: LeaveReason) {
    guard let session = rooms.sessions[id]?.session else { return }
    for device in onlookers.spectators(of: id) {
      guard let seat = seats[device], session.banned.contains(seat.identity) else { continue }
      turn.send(.sessionLeft(id, reason), to: device)
      leaveAudience(device, reason)
    }
  }

  // MARK: Connections

  /// Handles the loss of a spectator's or a visitor's connection.
  mutating func loseFromAudience(_ seat: Seat) {
    if seat.isSpectator, let id = seat.session {
      countSpectator(seat.device, in: id, isHere: false)
    }
    guard seat.isVisitor else { return }
    onlookers.lose(seat.device, until: turn.now + turn.limits.resumeGrace)
    turn.arm(.visitors, at: onlookers.nextEnd)
  }

  /// Ends what a spectator watches whose session has ended, or banned it, while it was away.
  mutating func endWatchingMeanwhile(by device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    if rooms.sessions[id]?.session?.banned.contains(seat.identity) ?? true { leaveAudience(device) }
  }

  /// Counts a spectator again that came back in time.
  mutating func returnToAudience(_ device: DeviceID, of id: SessionID) {
    countSpectator(device, in: id, isHere: true)
  }

  /// Ends the visits of those who have not come back in time.
  mutating func endOverdueVisits() {
    for device in onlookers.popOverdue(at: turn.now) { endVisit(of: device) }
    turn.arm(.visitors, at: onlookers.nextEnd)
  }
}
