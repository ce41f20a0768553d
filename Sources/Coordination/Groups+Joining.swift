import GroupSessions
import Vocabulary
import Wire

// Who joins a group or a session, and who leaves or declines it.

extension Groups {
  /// Joins a group; the device counts as a member at once, so that its next requests wait behind
  /// the join.
  mutating func joinGroup(
    _ id: GroupID, with key: String?, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    if let current = seat.group, current != id { throw ProtocolError(.alreadyInGroup) }
    let pass = access.pass(to: id, groups[id]?.group, with: key, by: seat.user)
    if groups[id] == nil {
      try checkFounding(with: pass)
    } else if seat.group == nil || seat.isVisitor, let group = groups[id]?.group,
      isForVisitors(id, seat)
    {
      try checkDoor(of: group, seat, pass)
      guard !seat.isVisitor else {
        return turn.tell(reply.recorded(.answered(.done(seq: group.seq))))
      }
      return try visit(group, seat, reply)
    } else if pass != .free, let group = groups[id]?.group {
      try check(seat.member, group, pass)
    }
    let join = GroupCommand.join(seat.member, with: pass)
    let cost = seat.group == nil ? try takeCost(of: join, in: id, by: seat) : nil
    if groups[id] == nil {
      groups[id] = GroupRoom(lane: Lane(GroupAggregate(opening: id)))
      perform(GroupWork(command: .open(by: seat.user, hasKey: pass != .free)), on: id)
    }
    seats[seat.device]?.group = id
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
    let session = sessions[id]?.session
    let mayVisit = seat.isVisitor && session?.group == seat.group && session?.hasAudience == true
    if !mayVisit { try checkMembership(of: id, seat) }
    if let session {
      if handoffFrom == nil, isForSpectators(session, seat) {
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
    guard sessions[id]?.session?.group == seat.group else { throw unknownSession(id) }
    seats[seat.device]?.departure = .from(id, .left)
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
      seats[seat.device]?.session = id
      seats[seat.device]?.participant = participant
      sayPlace(of: seat.device)
    }
    return Joiner(id: participant, identity: seat.identity, handoffFrom: handoffFrom)
  }
}
