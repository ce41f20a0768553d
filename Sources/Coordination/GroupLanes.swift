import GroupSessions
import Vocabulary
import Wire

/// The lanes of groups.
enum GroupLanes: LaneKind {
  typealias State = GroupAggregate

  static func stream(_ id: GroupID) -> AggregateID { .group(id) }
  static func subject(_ id: GroupID) -> Groups.Subject { .group(id) }
  static var clockAdvanced: GroupAggregate.Command { .command(.clockAdvanced) }

  static func change<Result>(
    _ id: GroupID, in owner: inout Groups,
    _ body: (inout Lane<GroupAggregate>) -> Result
  ) -> Result? {
    owner.rooms.change(id, body)
  }

  static func conditions(
    for command: GroupAggregate.Command, of id: GroupID, after draft: GroupAggregate?,
    in owner: Groups
  ) -> GroupAggregate.Conditions {
    guard case .start(_, let beginning, replacing: true) = command,
      let live = (draft?.group ?? owner.rooms.groups[id]?.group)?.session,
      owner.rooms.sessions[live]?.session?.mayBeEnded(by: beginning.initiator) == true
    else { return GroupAggregate.Conditions(limits: owner.turn.limits, replaceable: nil) }
    return GroupAggregate.Conditions(limits: owner.turn.limits, replaceable: live)
  }

  static func nextDeadline(of id: GroupID, in owner: Groups) -> Instant? {
    owner.rooms.groups[id]?.group?.nextDeadline
  }

  static func apply(
    _ event: GroupEvent, at instant: Instant, to id: GroupID, in owner: inout Groups
  ) {
    owner.apply(event, at: instant, to: id)
  }

  static func take(
    _ others: [RecordedEvent], on id: GroupID, in owner: inout Groups
  ) {
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      owner.apply(event, at: record.at, to: id)
      if case .memberJoined(let member) = event { owner.admit([member.device], to: id) }
    }
  }

  /// A device that joined gets its answer after the group's state; see ``endBatch``.
  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: GroupID,
    in owner: inout Groups
  ) {
    if step.events.isEmpty { owner.giveBackCost(of: decided.work) }
    guard decided.work.joiner == nil else { return }
    owner.finish(decided.work, step.answer, on: id)
  }

  static func fail(
    _ work: GroupWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: GroupID,
    in owner: inout Groups
  ) {
    owner.giveBackCost(of: work)
    owner.fail(work, error, answer, on: id)
  }

  static func miss(_ work: GroupWork, on id: GroupID, in owner: inout Groups) {
    owner.giveBackCost(of: work)
    owner.fail(work, ProtocolError(.notInGroup), nil, on: id)
  }

  /// Sends the devices that joined in a batch the state after it; they get none of its events.
  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: GroupID,
    in owner: inout Groups
  ) {
    let joined = zip(batch, steps).filter { $0.0.refusal == nil && $0.0.work.joiner != nil }
    if !joined.isEmpty {
      // A device that has started over meanwhile leaves first, and then joins in its new life.
      let joiners = joined.map(\.0.work).filter(owner.isOfItsLife).compactMap(\.joiner)
      owner.admit(joiners, to: id)
      for (decided, step) in joined { owner.finish(decided.work, step.answer, on: id) }
      for joiner in joiners { owner.handleDeferred(of: joiner) }
    }
    if owner.told.hasSubscribers(.group(id)) { owner.tellChanges(in: .group(id)) }
    guard let group = owner.rooms.groups[id]?.group,
      owner.turn.isSnapshotDue(from: seq, to: group.seq)
    else { return }
    owner.turn.say(.output(.snapshot(.group(group))))
  }

  static func pause(
    without works: [GroupWork], on id: GroupID, in owner: inout Groups
  ) {
    // The group's opening could not be stored.
    if owner.rooms.groups[id]?.group == nil { owner.rooms.remove(id) }
  }

  static func reconcile(_ id: GroupID, in owner: inout Groups) {
    owner.reconcile(id)
  }

  static func removeIfOver(_ id: GroupID, in owner: inout Groups) {
    guard owner.rooms.groups[id]?.group?.isClosed == true,
      owner.rooms.groups[id]?.lane.isBusy == false
    else { return }
    owner.rooms.remove(id)
    owner.onlookers.forget(id)
    owner.told.forget(.group(id))
    owner.turn.disarm(.group(id))
    owner.turn.say(.output(.forget(.group(id))))
  }
}

extension Groups {
  mutating func perform(_ work: GroupWork, on id: GroupID) {
    perform(work, on: id, GroupLanes.self)
  }

  fileprivate mutating func apply(_ event: GroupEvent, at instant: Instant, to id: GroupID) {
    let before = rooms.groups[id]?.group.map(EarlierGroup.init)
    rooms.change(id) { (lane: inout Lane<GroupAggregate>) in lane.evolve(event, at: instant) }
    guard let before, let group = rooms.groups[id]?.group else { return }
    let message = ServerMessage.groupEvent(id, seq: group.seq, at: instant, event)
    turn.say(.front(.publish(message, on: .group(id))))
    follow(event, in: group, before: before)
  }

  /// Handles a command that has been carried out.
  fileprivate mutating func finish(
    _ work: GroupWork, _ answer: RecordedAnswer?, on id: GroupID
  ) {
    if let answer { turn.tell(answer) }
    switch work.command {
    case .start(let session, let beginning, _):
      rooms.begin(session)
      perform(SessionWork(command: .begin(beginning), reply: work.reply), on: session)
    case .command(.join(let member, _)):
      // While the join was being stored, the device may have disconnected, started over or joined
      // another group.
      if seats[member.device]?.group != id {
        perform(GroupWork(command: .command(.leave(member.device))), on: id)
      } else if seats[member.device]?.isConnected != true {
        perform(GroupWork(command: .command(.lose(member.device))), on: id)
      }
    case .command(.lose(let device)): returnIfBack(device, to: id)
    case .command(.resume(let device)): tellEligibility(of: device, isForced: true)
    default: break
    }
  }

  /// Resumes a device whose loss was stored only after it came back, unless a waiting command
  /// already does.
  private mutating func returnIfBack(_ device: DeviceID, to id: GroupID) {
    guard seats[device]?.group == id, seats[device]?.isConnected == true,
      rooms.groups[id]?.lane.isWaiting(where: { $0.concerns(device) }) == false
    else { return }
    perform(GroupWork(command: .command(.resume(device))), on: id)
  }

  /// Handles a refused command; a device that wanted to join is in no group.
  fileprivate mutating func fail(
    _ work: GroupWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: GroupID
  ) {
    guard !isMerged(work, error), !isReopening(work, error, on: id) else { return }
    if let joiner = work.joiner, seats[joiner]?.isVisitor == true {
      // It stays a visitor.
      turn.refuse(work.reply, error, answer)
      return refuseDeferred(of: joiner, error)
    }
    if let joiner = work.joiner, seats[joiner]?.group == id, !isAdmitted(joiner, to: id) {
      seats[joiner]?.leaveGroup()
    }
    turn.refuse(work.reply, error, answer)
    guard let joiner = work.joiner else { return }
    handleDeferred(of: joiner, after: error)
    sayPlace(of: joiner)
  }

  /// Whether a refused start was for the live session's own activity and was sent on to that
  /// session.
  private mutating func isMerged(_ work: GroupWork, _ error: ProtocolError) -> Bool {
    guard case .start(_, let beginning, _) = work.command, error.code == .activityInProgress,
      let live = error.session, let reply = work.reply, let seat = seats[reply.device],
      seat.life == reply.life
    else { return false }
    return rejoin(live, of: seat, beginning.activity, isStaged: beginning.isStaged, reply)
  }

  /// Whether a join was refused because the group closed while it waited, and opens the group anew,
  /// as a join does that comes a moment later.
  private mutating func isReopening(
    _ work: GroupWork, _ error: ProtocolError, on id: GroupID
  ) -> Bool {
    guard case .command(.join(let member, _)) = work.command, error.code == .groupClosed,
      access.pass(to: id, nil, with: nil, by: member.user) == .free, let reply = work.reply,
      let seat = seats[member.device], seat.life == reply.life, seat.isConnected, !seat.isVisitor,
      !seat.isExpelled, seat.group ?? id == id
    else { return false }
    seats[member.device]?.leaveGroup()
    // The word is heard once the lane of the closed group is removed.
    turn.say(.groups(.reopen(id, reply)))
    return true
  }

  /// Whether no other life of the device has begun since it asked for this work.
  fileprivate func isOfItsLife(_ work: GroupWork) -> Bool {
    guard let reply = work.reply else { return true }
    return seats[reply.device]?.life == reply.life
  }

  /// Whether a device follows the group's events, if it is connected.
  ///
  /// A device that started over does not, although the group may count it as a member until its
  /// leaving is stored.
  private func isAdmitted(_ device: DeviceID, to id: GroupID) -> Bool {
    guard let seat = seats[device], seat.isConnected else {
      return rooms.groups[id]?.group?.members[device] != nil
    }
    return seat.group == id && seat.followsGroup
  }

  /// Makes up for what could not be stored while the lane was paused.
  ///
  /// - Parameter isInterrupted: whether everyone is about to be marked as lost, so that no device
  ///   needs to be marked on its own.
  mutating func reconcile(_ id: GroupID, isInterrupted: Bool = false) {
    guard let group = rooms.groups[id]?.group else { return }
    for device in group.members.keys {
      let isLost = isInterrupted || group.lost[device] != nil
      let command: GroupCommand
      switch Presence(of: seats[device], in: id) {
      case .elsewhere: command = .leave(device)
      case .away where !isLost: command = .lose(device)
      case .here where isLost: command = .resume(device)
      case .away, .here: continue
      }
      perform(GroupWork(command: .command(command)), on: id)
    }
    if group.members.isEmpty {
      perform(GroupWork(command: .command(.clockAdvanced)), on: id)
    }
    if let session = group.session, rooms.sessions[session] == nil {
      perform(GroupWork(command: .command(.endSession(session))), on: id)
    }
  }
}
