import GroupSessions
import Playback
import Vocabulary
import Wire

// Here, on the way of every command, stored properties are read through the tables one by one:
// whatever is computed, by a property or a method, may be computed on a copy of the session, with
// some thirty references to count. And they are changed by `change`, which needs no memory.

/// The lanes of sessions.
enum SessionLanes: LaneKind {
  typealias State = SessionAggregate

  static func stream(_ id: SessionID) -> AggregateID { .session(id) }
  static func subject(_ id: SessionID) -> DeadlineSubject { .session(id) }
  static var clockAdvanced: SessionAggregate.Command { .command(.clockAdvanced) }
  static var isBuried: Bool { true }

  static func change<Result>(
    _ id: SessionID, in coordinator: inout Coordinator,
    _ body: (inout Lane<SessionAggregate>) -> Result
  ) -> Result? {
    coordinator.sessions.change(id) { $0?.lane.change(body) }
  }

  static func conditions(
    for command: SessionAggregate.Command, of id: SessionID, after draft: SessionAggregate?,
    in coordinator: Coordinator
  ) -> SessionAggregate.Conditions {
    coordinator.conditions(for: command, of: id)
  }

  static func nextDeadline(of id: SessionID, in coordinator: Coordinator) -> Instant? {
    coordinator.sessions[id]?.lane.state.session?.nextDeadline
  }

  static func apply(
    _ event: SessionEvent, at instant: Instant, to id: SessionID,
    in coordinator: inout Coordinator
  ) {
    coordinator.apply(event, at: instant, to: id)
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: SessionID,
    in coordinator: inout Coordinator
  ) {
    coordinator.finish(decided.work, step.answer, on: id)
    guard let bearer = decided.work.bearer else { return }
    coordinator.tell(
      bearer, .answered(step.events.isEmpty ? .alreadyAnswered : .done(seq: nil)))
  }

  static func fail(
    _ work: SessionWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: SessionID,
    in coordinator: inout Coordinator
  ) {
    coordinator.fail(work, error, answer, on: id)
  }

  static func miss(_ work: SessionWork, on id: SessionID, in coordinator: inout Coordinator) {
    coordinator.fail(work, coordinator.unknownSession(id), nil, on: id)
  }

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: SessionID,
    in coordinator: inout Coordinator
  ) {
    coordinator.welcomeJoiners(of: batch, to: id)
    if coordinator.sessions[id]?.told.isPresent == true { coordinator.tellChanges(of: id) }
    guard let last = coordinator.sessions[id]?.lane.state.session?.seq,
      coordinator.isSnapshotDue(from: seq, to: last),
      let session = coordinator.sessions[id]?.lane.state.session
    else { return }
    // It is forgotten next; a snapshot would have the event that says how it ended dropped as old.
    if case .ended = session.state { return }
    coordinator.outputs.append(.snapshot(.session(session)))
  }

  static func rest(
    without works: [SessionWork], on id: SessionID, in coordinator: inout Coordinator
  ) {
    guard coordinator.sessions[id]?.session == nil else { return }
    coordinator.sessions[id] = nil  // Its beginning was not kept.
    guard case .begin(let beginning)? = works.first?.command else { return }
    coordinator.perform(
      GroupWork(command: .command(.endSession(id))), on: beginning.group)
  }

  static func reconcile(_ id: SessionID, in coordinator: inout Coordinator) {
    coordinator.reconcile(id)
    if let initiator = coordinator.sessions[id]?.session?.initiator,
      coordinator.devices[initiator.device]?.peer == nil
    {
      coordinator.perform(.initiatorGone, on: id)
    }
  }

  static func buryIfOver(_ id: SessionID, in coordinator: inout Coordinator) {
    guard case .ended(let reason)? = coordinator.sessions[id]?.lane.state.session?.state,
      coordinator.sessions[id]?.lane.isBusy == false
    else { return }
    coordinator.bury(id, reason)
  }
}

extension Coordinator {
  mutating func perform(_ work: SessionWork, on id: SessionID) {
    perform(work, on: id, SessionLanes.self)
  }

  /// Carries out what has to happen, for nobody who waits.
  mutating func perform(_ command: SessionCommand, on id: SessionID) {
    perform(SessionWork(command: .command(command)), on: id)
  }

  /// What is true of a session that is not here: it ended, or never was.
  func unknownSession(_ id: SessionID) -> ProtocolError {
    tombstones[id].map { ProtocolError(.ended($0)) } ?? ProtocolError(.unknownSession)
  }

  fileprivate func conditions(
    for command: SessionAggregate.Command, of id: SessionID
  ) -> SessionAggregate.Conditions {
    guard let slowest = sessions[id]?.delays.slowest else {
      return SessionAggregate.Conditions(playback: PlaybackConditions(limits: limits))
    }
    var conditions = SessionAggregate.Conditions(
      playback: PlaybackConditions(slowestDelay: slowest, limits: limits))
    switch command {
    case .command(.playback(.pause, let originator)) where followsClock(originator, in: id):
      conditions.playback.originatorDelay = sessions[id]?.delays[originator] ?? .zero
    case .begin(let beginning):
      conditions.people = invitedPeople(of: beginning.group, by: beginning.initiator.user)
    case .command(.activate(let initiator)):
      if let group = sessions[id]?.session?.group {
        conditions.people = invitedPeople(of: group, by: initiator.user)
      }
    default: break
    }
    return conditions
  }

  /// Whether a participant plays by the group's clock: the peers that the server makes itself say
  /// where their players are, and how wrong they are does not grow with the length of their lines.
  private func followsClock(_ participant: ParticipantID, in id: SessionID) -> Bool {
    guard let known = sessions[id]?.session?.participants[participant] else { return true }
    return !Hello.isReserved(known.user.text)
  }

  fileprivate mutating func apply(_ event: SessionEvent, at instant: Instant, to id: SessionID) {
    if case .began = event {
      sessions.change(id) { $0?.lane.evolve(event, at: instant) }
      if let session = sessions[id]?.session { announce(session) }
      return
    }
    let leaving = event.leaving(sessions[id]?.lane.state.session?.participants ?? Roster())
    if case .ended = event, let invitations = sessions[id]?.session?.invitations {
      revokePending(invitations, to: id)
    }
    sessions.change(id) { $0?.lane.evolve(event, at: instant) }
    guard let seq = sessions[id]?.lane.state.session?.seq else { return }
    sessions.change(id) { [limits] in
      $0?.tail.append(event, seq: seq, at: instant, limits: limits)
    }
    publish(event, seq: seq, at: instant, in: id)
    follow(event, in: id, leaving: leaving)
  }

  /// Sends an event to everyone who follows the session, one encoding for all; only a message
  /// meant for some is withheld from the others.
  private mutating func publish(
    _ event: SessionEvent, seq: Int, at now: Instant, in session: SessionID
  ) {
    let audience = sessions[session]?.audience ?? []
    let message = ServerMessage.event(session, seq: seq, at: now, event)
    guard case .messageSent(_, .only(let ids), let source) = event else {
      return send(message, toAll: audience)
    }
    let chosen = peers(of: ids + [source], in: session)
    send(message, toAll: audience.filter { chosen.contains($0) })
    let others = audience.filter { !chosen.contains($0) }
    send(.withheld(session, seq: seq), toAll: others)
  }

  /// The connections of these participants.
  func peers(of participants: [ParticipantID], in session: SessionID) -> Set<PeerID> {
    Set(
      participants.compactMap { id in
        sessions[session]?.session?.participants[id].flatMap { devices[$0.device]?.peer }
      })
  }

  fileprivate mutating func bury(_ id: SessionID, _ reason: EndReason) {
    sessions[id] = nil
    deadlines.forget(.session(id))
    outputs.append(.forget(.session(id)))
    tombstones.add(id, reason, limit: limits.tombstones)
    closeIfDone()
  }

  /// Brings a session up to what is so meanwhile: what had to happen while it could not be kept.
  ///
  /// - Parameter isInterrupted: whether everyone is about to be lost, so that nobody needs to be one
  ///   by one.
  mutating func reconcile(_ id: SessionID, isInterrupted: Bool = false) {
    guard let session = sessions[id]?.session else { return }
    let live = groups[session.group]?.group?.session
    guard groups[session.group]?.group?.isClosed == false, live ?? id == id else {
      let reason = live.map { EndReason.replaced(by: $0) } ?? .groupClosed
      return perform(.terminate(reason), on: id)
    }
    for participant in session.participants.values {
      let isLost = isInterrupted || session.lost[participant.id] != nil
      let command: SessionCommand
      switch Presence(of: devices[participant.device], in: session.group, as: participant.id) {
      case .elsewhere: command = .leave(participant.id)
      case .away where !isLost: command = .lose(participant.id)
      case .here where isLost: command = .resume(participant.id)
      case .away, .here: continue
      }
      perform(command, on: id)
    }
  }
}

// MARK: What becomes of a command

extension Coordinator {
  /// A session's command is carried out, and so is what follows for the one who asked.
  fileprivate mutating func finish(
    _ work: SessionWork, _ answer: RecordedAnswer?, on id: SessionID
  ) {
    if case .command(.decline(let device)) = work.command, devices[device]?.offered == id {
      withdrawOffer(from: device, .declined)
    }
    guard let reply = work.reply else { return }
    if let joiner = work.joiner, let known = participant(joiner, in: id) {
      return seat(known, reply, answer, in: id)
    }
    letGo(of: work.joiner)
    guard let answer else { return }
    tell(answer)
    if case .activated(isNew: false, _) = reply.wanted, let session = sessions[id]?.session,
      let device = devices[reply.device]
    {
      offer(session, to: destination(of: device).device, isWanted: true)
    }
  }

  /// A session's command was refused; one who wanted to join is in no session.
  fileprivate mutating func fail(
    _ work: SessionWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: SessionID
  ) {
    if let joiner = work.joiner, sessions[id]?.session?.participants[joiner.id] == nil {
      letGo(of: joiner)
    }
    refuse(work.reply, error, answer)
    tell(work.bearer, .refused(error))
  }

  /// Who a joiner is in the session, under whatever name: one who takes part already goes on as who
  /// it is.
  private func participant(_ joiner: Joiner, in id: SessionID) -> ParticipantID? {
    guard let session = sessions[id]?.session else { return nil }
    return (session.participants[joiner.id] ?? session.participant(on: joiner.device))?.id
  }

  /// One who wanted to join is in no session after all.
  private mutating func letGo(of joiner: Joiner?) {
    guard let joiner, devices[joiner.device]?.participant == joiner.id else { return }
    devices[joiner.device]?.session = nil
    devices[joiner.device]?.participant = nil
  }

  /// A joiner takes part; the session as it is comes behind the batch.
  ///
  /// - Parameter answer: `nil` if it had gone when its join was decided.
  private mutating func seat(
    _ participant: ParticipantID, _ reply: Reply, _ answer: RecordedAnswer?, in id: SessionID
  ) {
    guard let device = devices[reply.device], isAsking(reply),
      device.group == sessions[id]?.session?.group, device.session ?? id == id
    else {
      // It started anew, left the group or joined another session while its join was being kept.
      refuse(reply, ProtocolError(.notJoined))
      return perform(.leave(participant), on: id)
    }
    devices[reply.device]?.session = id
    devices[reply.device]?.participant = participant
    devices[reply.device]?.offered = nil
    if let answer { tell(answer) }
    if device.peer == nil { perform(.lose(participant), on: id) }
  }

  /// Those who joined in a batch get one state, the one after it, and every event from there on.
  fileprivate mutating func welcomeJoiners(
    of batch: [Decided<SessionAggregate>], to id: SessionID
  ) {
    for decided in batch where decided.refusal == nil {
      guard let reply = decided.work.reply, let joiner = decided.work.joiner,
        let participant = participant(joiner, in: id), isAsking(reply),
        devices[reply.device]?.participant == participant, let peer = devices[reply.device]?.peer,
        let session = sessions[id]?.session
      else { continue }
      send(
        .snapshot(SessionSnapshot(session: session, participant: participant, at: now)), to: peer)
      if sessions[id]?.audience.contains(peer) == false { sessions[id]?.addToAudience(peer) }
    }
  }
}
