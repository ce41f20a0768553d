import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

// The one way a group or a session changes: decide, append, and, once kept, evolve, send, answer.
//
// Here, on the way of every command, stored properties are read through the tables one by one:
// whatever is computed, by a property or a method, is computed on a copy of the whole aggregate,
// with some thirty references to count.

// MARK: Groups

extension Coordinator {
  /// Carries a command out on a group, or behind those that wait for its journal.
  ///
  /// Requests may meet the bound on waiting; what has to happen anyway, such as a loss, does not.
  mutating func perform(_ work: GroupWork, on id: GroupID) {
    guard let isBusy = groups[id]?.inFlight.isPresent else {
      return fail(work, ProtocolError(.notInGroup), on: id)
    }
    guard isBusy else { return decide(work, on: id) }
    let waitingCount = groups[id]?.waiting.count ?? 0
    guard work.reply == nil || waitingCount < limits.pendingCommands else {
      return fail(work, .busy(limits), on: id)
    }
    groups[id]?.waiting.append(work)
  }

  private mutating func decide(_ work: GroupWork, on id: GroupID) {
    do {
      let events: [GroupEvent] =
        switch work.task {
        case .open(let founder): groups[id]?.group == nil ? [.opened(by: founder)] : []
        case .command(let command):
          try groups[id]?.group?.decide(command, at: now, limits: limits) ?? []
        case .start(let session, let beginning, let isReplacing):
          try groups[id]?.group?.decide(
            .startSession(session, by: beginning.initiator.device, replacing: isReplacing),
            at: now, limits: limits) ?? []
        }
      guard !events.isEmpty else {
        armGroup(id)
        return finish(work, on: id)
      }
      groups[id]?.inFlight = .present(.init(work: work, events: events, at: now))
      let records = events.map { RecordedEvent(at: now, event: .group($0)) }
      outputs.append(.append(.group(id), after: groups[id]?.group?.seq ?? 0, records))
    } catch {
      guard !isMerged(work, error) else { return }
      fail(work, ProtocolError(error), on: id)
    }
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func groupAppended(_ id: GroupID, _ outcome: AppendOutcome) {
    guard let inFlight = groups[id]?.inFlight.value else { return }
    switch outcome {
    case .kept:
      for event in inFlight.events { apply(event, at: inFlight.at, to: id) }
      groups[id]?.inFlight = .absent
      finish(inFlight.work, on: id)
    case .preceded(let others):
      for record in others {
        if case .group(let event) = record.event { apply(event, at: record.at, to: id) }
      }
      groups[id]?.inFlight = .absent
      decide(inFlight.work, on: id)
    }
    armGroup(id)
    while groups[id]?.inFlight.isPresent == false, let next = groups[id]?.takeWaiting() {
      decide(next, on: id)
    }
    if groups[id]?.group?.isClosed == true, groups[id]?.inFlight.isPresent == false {
      groups[id] = nil
      deadlines.forget(.group(id))
      outputs.append(.forget(.group(id)))
    }
  }

  private mutating func apply(_ event: GroupEvent, at instant: Instant, to id: GroupID) {
    if case .opened(let founder) = event {
      groups[id]?.group = Group(id: id, founder: founder)
      return
    }
    guard let before = groups[id]?.group.map(GroupGlance.init) else { return }
    groups[id]?.group?.evolve(event)
    guard let group = groups[id]?.group else { return }
    let message = ServerMessage.groupEvent(id, seq: group.seq, at: instant, event)
    send(message, toAll: groups[id]?.audience ?? [])
    follow(event, in: group, before: before)
  }

  mutating func armGroup(_ id: GroupID) {
    guard groups[id]?.inFlight.isPresent == false else { return }
    deadlines.arm(.group(id), at: groups[id]?.group?.nextDeadline)
  }
}

// MARK: Sessions

extension Coordinator {
  /// Carries a command out on a session, or behind those that wait for its journal.
  mutating func perform(_ work: SessionWork, on id: SessionID) {
    guard let isBusy = sessions[id]?.inFlight.isPresent else {
      return fail(work, unknownSession(id), on: id)
    }
    guard isBusy else { return decide(work, on: id) }
    let waitingCount = sessions[id]?.waiting.count ?? 0
    guard work.reply == nil || waitingCount < limits.pendingCommands else {
      return fail(work, .busy(limits), on: id)
    }
    sessions[id]?.waiting.append(work)
  }

  /// What is true of a session that is not here: it ended, or never was.
  func unknownSession(_ id: SessionID) -> ProtocolError {
    tombstones[id].map { ProtocolError(.ended($0)) } ?? ProtocolError(.unknownSession)
  }

  private mutating func decide(_ work: SessionWork, on id: SessionID) {
    do {
      let events: [SessionEvent] =
        switch work.task {
        case .begin(let beginning): sessions[id]?.session == nil ? [.began(beginning)] : []
        case .look: try look(at: id)
        case .command(let command):
          try sessions[id]?.session?.decide(
            command, at: now, under: conditions(of: id, command)) ?? []
        }
      guard !events.isEmpty else {
        armSession(id)
        return finish(work, [], on: id)
      }
      sessions[id]?.inFlight = .present(.init(work: work, events: events, at: now))
      let records = events.map { RecordedEvent(at: now, event: .session($0)) }
      outputs.append(.append(.session(id), after: sessions[id]?.session?.seq ?? 0, records))
    } catch {
      fail(work, ProtocolError(error), on: id)
    }
  }

  /// Nothing happens; but a session that ended while this waited is not what was asked for.
  private func look(at id: SessionID) throws(SessionRejection) -> [SessionEvent] {
    if case .ended(let reason)? = sessions[id]?.session?.state { throw .ended(reason) }
    return []
  }

  private func conditions(of id: SessionID, _ command: SessionCommand) -> PlaybackConditions {
    guard let delays = sessions[id]?.delays else { return PlaybackConditions(limits: limits) }
    var conditions = PlaybackConditions(slowestDelay: delays.slowest, limits: limits)
    if case .playback(.pause, let originator) = command {
      conditions.originatorDelay = delays[originator] ?? .zero
    }
    return conditions
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func sessionAppended(_ id: SessionID, _ outcome: AppendOutcome) {
    guard let inFlight = sessions[id]?.inFlight.value else { return }
    switch outcome {
    case .kept:
      for event in inFlight.events { apply(event, at: inFlight.at, to: id) }
      sessions[id]?.inFlight = .absent
      finish(inFlight.work, inFlight.events, on: id)
    case .preceded(let others):
      for record in others {
        if case .session(let event) = record.event { apply(event, at: record.at, to: id) }
      }
      sessions[id]?.inFlight = .absent
      decide(inFlight.work, on: id)
    }
    armSession(id)
    while sessions[id]?.inFlight.isPresent == false, let next = sessions[id]?.takeWaiting() {
      decide(next, on: id)
    }
    buryIfEnded(id)
  }

  private mutating func apply(_ event: SessionEvent, at instant: Instant, to id: SessionID) {
    if case .began(let beginning) = event {
      let session = GroupSession(id: id, beginning)
      sessions[id]?.session = session
      return announce(session)
    }
    let leaving = event.leaving(sessions[id]?.session?.participants ?? Roster())
    sessions[id]?.session?.evolve(event, at: instant)
    guard let seq = sessions[id]?.session?.seq else { return }
    sessions[id]?.tail.append(event, seq: seq, at: instant, limits: limits)
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

  private mutating func buryIfEnded(_ id: SessionID) {
    guard case .ended(let reason)? = sessions[id]?.session?.state,
      sessions[id]?.inFlight.isPresent == false
    else { return }
    sessions[id] = nil
    deadlines.forget(.session(id))
    outputs.append(.forget(.session(id)))
    tombstones.add(id, reason, limit: limits.tombstones)
    closeIfDone()
  }

  mutating func armSession(_ id: SessionID) {
    guard sessions[id]?.inFlight.isPresent == false else { return }
    deadlines.arm(.session(id), at: sessions[id]?.session?.nextDeadline)
  }
}
