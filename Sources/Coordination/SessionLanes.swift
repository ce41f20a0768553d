import GroupSessions
import Playback
import Vocabulary
import Wire

// This is on the path of every command. Therefore stored properties are read through the tables one
// by one: a computed property or a method may copy the session, which counts some thirty
// references. Changes go through `change`, which allocates no memory.

/// The lanes of sessions.
enum SessionLanes: LaneKind {
  typealias State = SessionAggregate

  static func stream(_ id: SessionID) -> AggregateID { .session(id) }
  static func subject(_ id: SessionID) -> Groups.Subject { .session(id) }
  static var clockAdvanced: SessionAggregate.Command { .command(.clockAdvanced) }

  static func change<Result>(
    _ id: SessionID, in owner: inout Groups,
    _ body: (inout Lane<SessionAggregate>) -> Result
  ) -> Result? {
    owner.rooms.change(id, body)
  }

  static func conditions(
    for command: SessionAggregate.Command, of id: SessionID, after draft: SessionAggregate?,
    in owner: Groups
  ) -> SessionAggregate.Conditions {
    owner.conditions(for: command, of: id)
  }

  static func nextDeadline(of id: SessionID, in owner: Groups) -> Instant? {
    owner.rooms.sessions[id]?.lane.state.session?.nextDeadline
  }

  static func apply(
    _ event: SessionEvent, at instant: Instant, to id: SessionID,
    in owner: inout Groups
  ) {
    owner.apply(event, at: instant, to: id)
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: SessionID,
    in owner: inout Groups
  ) {
    if !step.events.isEmpty, case .command(.activate) = decided.work.command {
      owner.endIfDeserted(id)
    }
    owner.finish(decided.work, step.answer, on: id)
    if step.events.isEmpty { owner.giveBackCost(of: decided.work) }
    guard let bearer = decided.work.bearer else { return }
    let answer = step.events.isEmpty ? Answer.alreadyAnswered : .done(seq: nil)
    owner.turn.say(.front(.answeredBearer(bearer, .answered(answer))))
  }

  static func fail(
    _ work: SessionWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: SessionID,
    in owner: inout Groups
  ) {
    owner.giveBackCost(of: work)
    owner.fail(work, error, answer, on: id)
  }

  static func miss(_ work: SessionWork, on id: SessionID, in owner: inout Groups) {
    owner.giveBackCost(of: work)
    owner.fail(work, owner.rooms.unknownSession(id), nil, on: id)
  }

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: SessionID,
    in owner: inout Groups
  ) {
    owner.welcomeJoiners(of: batch, to: id)
    if owner.told.hasSubscribers(.session(id)) { owner.tellChanges(in: .session(id)) }
    guard let last = owner.rooms.sessions[id]?.lane.state.session?.seq,
      owner.turn.isSnapshotDue(from: seq, to: last),
      let session = owner.rooms.sessions[id]?.lane.state.session
    else { return }
    // An ended session is forgotten next. A snapshot would let the journal drop the event with the
    // reason of the end.
    if case .ended = session.state { return }
    owner.turn.say(.output(.snapshot(.session(session))))
  }

  static func pause(
    without works: [SessionWork], on id: SessionID, in owner: inout Groups
  ) {
    guard owner.rooms.sessions[id]?.session == nil else { return }
    // Its beginning could not be stored.
    owner.rooms.remove(id)
    guard case .begin(let beginning)? = works.first?.command else { return }
    owner.perform(
      GroupWork(command: .command(.endSession(id))), on: beginning.group)
  }

  static func reconcile(_ id: SessionID, in owner: inout Groups) {
    owner.reconcile(id)
    if let initiator = owner.rooms.sessions[id]?.session?.initiator,
      owner.seats[initiator.device]?.isConnected != true
    {
      owner.perform(.initiatorGone, on: id)
    }
  }

  static func removeIfOver(_ id: SessionID, in owner: inout Groups) {
    guard case .ended(let reason)? = owner.rooms.sessions[id]?.lane.state.session?.state,
      owner.rooms.sessions[id]?.lane.isBusy == false
    else { return }
    owner.remove(id, reason)
  }
}

extension Groups {
  mutating func perform(_ work: SessionWork, on id: SessionID) {
    perform(work, on: id, SessionLanes.self)
  }

  /// Performs a command that nobody waits for.
  mutating func perform(_ command: SessionCommand, on id: SessionID) {
    perform(SessionWork(command: .command(command)), on: id)
  }

  fileprivate func conditions(
    for command: SessionAggregate.Command, of id: SessionID
  ) -> SessionAggregate.Conditions {
    guard let slowest = rooms.sessions[id]?.delays.slowest else {
      return SessionAggregate.Conditions(playback: PlaybackConditions(limits: turn.limits))
    }
    var conditions = SessionAggregate.Conditions(
      playback: PlaybackConditions(slowestDelay: slowest, limits: turn.limits))
    switch command {
    case .command(.playback(.pause, let originator)) where followsClock(originator, in: id):
      conditions.playback.originatorDelay = rooms.sessions[id]?.delays[originator] ?? .zero
    case .begin(let beginning):
      conditions.people = people(invitedBy: beginning.initiator.user, to: beginning.group)
    case .command(.activate(let initiator)):
      if let group = rooms.sessions[id]?.session?.group {
        conditions.people = people(invitedBy: initiator.user, to: group)
      }
    default: break
    }
    return conditions
  }

  /// Whether a participant's player follows the group's clock.
  ///
  /// The peers that the server itself creates report their players' positions; the error of these
  /// does not grow with the delay of their connections.
  private func followsClock(_ participant: ParticipantID, in id: SessionID) -> Bool {
    guard let known = rooms.sessions[id]?.session?.participants[participant] else { return true }
    return !Hello.isReserved(known.user.text)
  }

  fileprivate mutating func apply(_ event: SessionEvent, at instant: Instant, to id: SessionID) {
    if case .began = event {
      rooms.apply(event, at: instant, to: id, turn.limits)
      if let session = rooms.sessions[id]?.session { announce(session) }
      return
    }
    let leaving = event.leaving(rooms.sessions[id]?.lane.state.session?.participants ?? Roster())
    if case .ended = event, let invitations = rooms.sessions[id]?.session?.invitations {
      revokePending(invitations, to: id)
    }
    rooms.apply(event, at: instant, to: id, turn.limits)
    guard let seq = rooms.sessions[id]?.lane.state.session?.seq else { return }
    publish(event, seq: seq, at: instant, in: id)
    follow(event, in: id, leaving: leaving)
  }

  /// Sends an event to everyone who follows the session, encoded once.
  ///
  /// A message for some participants is withheld from the others, who only get its number.
  private mutating func publish(
    _ event: SessionEvent, seq: Int, at now: Instant, in session: SessionID
  ) {
    let message = ServerMessage.event(session, seq: seq, at: now, event)
    guard case .messageSent(_, .only(let ids), let source) = event else {
      return turn.say(.front(.publish(message, on: .session(session))))
    }
    let chosen = rooms.devices(of: ids + [source], in: session)
    turn.say(.front(.publish(message, on: .session(session), to: .only(chosen))))
    let withheld = ServerMessage.withheld(session, seq: seq)
    turn.say(.front(.publish(withheld, on: .session(session), to: .except(chosen))))
  }

  fileprivate mutating func remove(_ id: SessionID, _ reason: EndReason) {
    AttachmentLanes.discardAll(of: id, in: &self)
    rooms.remove(id, reason, rememberingAtMost: turn.limits.tombstones)
    onlookers.forget(id)
    told.forget(.session(id))
    turn.disarm(.session(id))
    turn.say(.output(.forget(.session(id))))
    sayIfDrained()
  }

  /// Makes up for what could not be stored while the lane was paused.
  ///
  /// - Parameter isInterrupted: whether everyone is about to be marked as lost, so that no
  ///   participant needs to be marked on its own.
  mutating func reconcile(_ id: SessionID, isInterrupted: Bool = false) {
    guard let session = rooms.sessions[id]?.session else { return }
    let live = rooms.groups[session.group]?.group?.session
    guard rooms.groups[session.group]?.group?.isClosed == false, live == id else {
      let reason = live.map { EndReason.replaced(by: $0) } ?? .groupClosed
      return perform(.terminate(reason), on: id)
    }
    for participant in session.participants.values {
      let isLost = isInterrupted || session.lost[participant.id] != nil
      let command: SessionCommand
      switch Presence(of: seats[participant.device], in: session.group, as: participant.id) {
      case .elsewhere: command = .leave(participant.id)
      case .away where !isLost: command = .lose(participant.id)
      case .here where isLost: command = .resume(participant.id)
      case .away, .here: continue
      }
      perform(command, on: id)
    }
    for invitation in session.invitations.values
    where rooms.isRemoved(invitation.user, from: session.group) {
      perform(.uninvite(invitation.user), on: id)
    }
  }
}

// MARK: Outcomes of commands

extension Groups {
  /// Handles a command that was carried out, and its consequences for the device that asked.
  fileprivate mutating func finish(
    _ work: SessionWork, _ answer: RecordedAnswer?, on id: SessionID
  ) {
    if case .command(.decline(let device)) = work.command, seats[device]?.offered == id {
      withdrawOffer(from: device, .declined)
    }
    guard let reply = work.reply else { return }
    if let joiner = work.joiner, let known = participant(joiner, in: id) {
      return seat(known, reply, answer, in: id)
    }
    letGo(of: work.joiner)
    guard let answer else { return }
    turn.tell(answer)
    if case .activated(isNew: false, _) = reply.wanted, let session = rooms.sessions[id]?.session,
      let seat = seats[reply.device]
    {
      offer(session, to: rooms.destination(of: seat, turn.limits).device, isWanted: true)
    }
  }

  /// Ends a session that nobody has joined, and whose initiator went while the activation waited.
  fileprivate mutating func endIfDeserted(_ id: SessionID) {
    guard let session = rooms.sessions[id]?.session, session.joinBy != nil else { return }
    let seat = seats[session.initiator.device]
    guard seat?.isConnected != true || seat?.group != session.group else { return }
    perform(.initiatorGone, on: id)
  }

  /// Handles a refused command; a device that wanted to join is in no session.
  fileprivate mutating func fail(
    _ work: SessionWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: SessionID
  ) {
    if case .command(.resume(let participant)) = work.command {
      tellState(of: id, to: participant)
    }
    // A spectator who asked for a place may have left meanwhile.
    let isHere = work.joiner.map { seats[$0.device]?.session == id } ?? false
    if let joiner = work.joiner, rooms.sessions[id]?.session?.participants[joiner.id] == nil {
      letGo(of: joiner)
    }
    guard !isHere || !isForAudience(work, error, on: id) else { return }
    turn.refuse(work.reply, error, answer)
    if let bearer = work.bearer {
      turn.say(.front(.answeredBearer(bearer, .refused(error))))
    }
  }

  /// Whether a joiner, for whom no place was left, watches as a spectator.
  private mutating func isForAudience(
    _ work: SessionWork, _ error: ProtocolError, on id: SessionID
  ) -> Bool {
    guard error.code == .sessionFull, let joiner = work.joiner, joiner.handoffFrom == nil,
      let reply = work.reply, let seat = seats[reply.device], seat.life == reply.life,
      seat.isConnected,
      let session = rooms.sessions[id]?.session, seat.group == session.group,
      rooms.isForSpectators(session, seat, at: turn.now, turn.limits)
    else { return false }
    do throws(ProtocolError) {
      try spectate(id, seat, reply, as: joiner.id)
    } catch { turn.refuse(reply, error) }
    return true
  }

  /// Tells a participant once that it is in the session, although its return cannot be stored yet.
  ///
  /// Its loss may not be stored either, and then no event tells it so.
  private mutating func tellState(of id: SessionID, to participant: ParticipantID) {
    guard let session = rooms.sessions[id]?.session, let known = session.participants[participant],
      let seat = seats[known.device], seat.awaitsState, seat.participant == participant
    else { return }
    seats[known.device]?.awaitState(false)
    let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
    turn.send(.snapshot(snapshot), to: known.device)
  }

  /// The participant of a joiner; a device that already took part keeps its earlier one.
  private func participant(_ joiner: Joiner, in id: SessionID) -> ParticipantID? {
    guard let session = rooms.sessions[id]?.session else { return nil }
    return (session.participants[joiner.id] ?? session.participant(on: joiner.device))?.id
  }

  /// Removes the seat's reference to a participant that did not join after all.
  private mutating func letGo(of joiner: Joiner?) {
    guard let joiner, seats[joiner.device]?.participant == joiner.id else { return }
    seats[joiner.device]?.leaveSession()
    sayPlace(of: joiner.device)
  }

  /// Seats a joiner; the session's snapshot follows at the end of the batch.
  ///
  /// - Parameter answer: `nil` if the device was gone when its join was decided.
  private mutating func seat(
    _ participant: ParticipantID, _ reply: Reply, _ answer: RecordedAnswer?, in id: SessionID
  ) {
    guard let seat = seats[reply.device], seat.life == reply.life,
      seat.group == rooms.sessions[id]?.session?.group, seat.session ?? id == id
    else {
      // While the join was being stored, the device started over, left the group or joined another
      // session.
      turn.refuse(reply, ProtocolError(.notJoined))
      return perform(.leave(participant), on: id)
    }
    promote(reply.device)
    seats[reply.device]?.join(id, as: participant)
    sayPlace(of: reply.device)
    if let answer { turn.tell(answer) }
    if !seat.isConnected { perform(.lose(participant), on: id) }
  }

  /// Sends the devices that joined in a batch the state after it, and every event from then on.
  fileprivate mutating func welcomeJoiners(
    of batch: [Decided<SessionAggregate>], to id: SessionID
  ) {
    for decided in batch where decided.refusal == nil {
      guard let reply = decided.work.reply, let joiner = decided.work.joiner,
        let participant = participant(joiner, in: id), let seat = seats[reply.device],
        seat.life == reply.life, seat.participant == participant, seat.isConnected,
        let session = rooms.sessions[id]?.session
      else { continue }
      let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
      turn.send(.snapshot(snapshot), to: reply.device)
      tellAudience(of: session, to: reply.device)
      followSession(id, by: reply.device)
    }
  }
}
