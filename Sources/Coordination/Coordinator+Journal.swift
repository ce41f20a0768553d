import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

// The one way a group or a session changes: decide, append, and, once kept, evolve, send, answer.

// MARK: Groups

extension Coordinator {
  /// Carries a command out on a group, or behind those that wait for its journal.
  mutating func perform(_ work: GroupWork, on id: GroupID) {
    guard groups[id] != nil else { return refuse(work.reply, ProtocolError(.notInGroup)) }
    if groups[id]?.inFlight != nil {
      guard groups[id]?.waiting.count ?? 0 < limits.pendingCommands else {
        return refuse(work.reply, .busy)
      }
      groups[id]?.waiting.append(work)
    } else {
      decide(work, on: id)
    }
  }

  private mutating func decide(_ work: GroupWork, on id: GroupID) {
    do {
      let events: [GroupEvent] =
        switch work.task {
        case .open(let founder): [.opened(by: founder)]
        case .command(let command):
          try groups[id]?.group?.decide(command, at: now, limits: limits) ?? []
        }
      guard !events.isEmpty else {
        armGroup(id)
        return finish(work, on: id)
      }
      groups[id]?.inFlight = GroupAggregate.InFlight(work: work, events: events, at: now)
      let records = events.map { RecordedEvent(at: now, event: .group($0)) }
      outputs.append(.append(.group(id), after: groups[id]?.seq ?? 0, records))
    } catch {
      refuse(work.reply, ProtocolError(error))
    }
  }

  mutating func groupAppended(_ id: GroupID, _ outcome: AppendOutcome) {
    guard let inFlight = groups[id]?.inFlight else { return }
    groups[id]?.inFlight = nil
    switch outcome {
    case .kept:
      for event in inFlight.events { apply(event, at: inFlight.at, to: id) }
      finish(inFlight.work, on: id)
    case .preceded(let others):
      for record in others {
        if case .group(let event) = record.event { apply(event, at: record.at, to: id) }
      }
      decide(inFlight.work, on: id)
    }
    armGroup(id)
    while groups[id]?.inFlight == nil, let next = groups[id]?.waiting.popFirst() {
      decide(next, on: id)
    }
    if let group = groups[id]?.group, group.isClosed, groups[id]?.inFlight == nil {
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
    let before = groups[id]?.group
    groups[id]?.group?.evolve(event)
    guard let group = groups[id]?.group else { return }
    let message = ServerMessage.groupEvent(id, seq: group.seq, at: instant, event)
    send(message, toAll: groups[id]?.audience ?? [])
    follow(event, in: group, before: before)
  }

  func armedDeadline(of id: GroupID) -> Instant? { groups[id]?.group?.nextDeadline }

  mutating func armGroup(_ id: GroupID) {
    deadlines.arm(.group(id), at: armedDeadline(of: id))
  }
}

// MARK: Sessions

extension Coordinator {
  /// Carries a command out on a session, or behind those that wait for its journal.
  mutating func perform(_ work: SessionWork, on id: SessionID) {
    guard sessions[id] != nil else { return refuse(work.reply, unknownSession(id)) }
    if sessions[id]?.inFlight != nil {
      guard sessions[id]?.waiting.count ?? 0 < limits.pendingCommands else {
        return refuse(work.reply, .busy)
      }
      sessions[id]?.waiting.append(work)
    } else {
      decide(work, on: id)
    }
  }

  /// What is true of a session that is not here: it ended, or never was.
  func unknownSession(_ id: SessionID) -> ProtocolError {
    tombstones[id].map { ProtocolError(.ended($0)) } ?? ProtocolError(.unknownSession)
  }

  private mutating func decide(_ work: SessionWork, on id: SessionID) {
    do {
      let events: [SessionEvent] =
        switch work.task {
        case .begin(let beginning): [.began(beginning)]
        case .command(let command):
          try sessions[id]?.session?.decide(command, at: now, under: conditions(of: id)) ?? []
        }
      guard !events.isEmpty else {
        armSession(id)
        return finish(work, [], on: id)
      }
      sessions[id]?.inFlight = SessionAggregate.InFlight(work: work, events: events, at: now)
      let records = events.map { RecordedEvent(at: now, event: .session($0)) }
      outputs.append(.append(.session(id), after: sessions[id]?.seq ?? 0, records))
    } catch {
      refuse(work.reply, ProtocolError(error))
    }
  }

  private func conditions(of id: SessionID) -> PlaybackConditions {
    PlaybackConditions(slowestDelay: sessions[id]?.delays.slowest ?? .zero, limits: limits)
  }

  mutating func sessionAppended(_ id: SessionID, _ outcome: AppendOutcome) {
    guard let inFlight = sessions[id]?.inFlight else { return }
    sessions[id]?.inFlight = nil
    switch outcome {
    case .kept:
      for event in inFlight.events { apply(event, at: inFlight.at, to: id) }
      finish(inFlight.work, inFlight.events, on: id)
    case .preceded(let others):
      for record in others {
        if case .session(let event) = record.event { apply(event, at: record.at, to: id) }
      }
      decide(inFlight.work, on: id)
    }
    armSession(id)
    while sessions[id]?.inFlight == nil, let next = sessions[id]?.waiting.popFirst() {
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
    let before = sessions[id]?.session
    sessions[id]?.session?.evolve(event, at: instant)
    guard let session = sessions[id]?.session else { return }
    sessions[id]?.tail.append(event, seq: session.seq, at: instant, limits: limits)
    publish(event, at: instant, in: session)
    follow(event, in: session, before: before)
  }

  /// Sends an event to everyone who follows the session, one encoding for all; only a message
  /// meant for some is withheld from the others.
  private mutating func publish(_ event: SessionEvent, at now: Instant, in session: GroupSession) {
    let audience = sessions[session.id]?.audience ?? []
    let message = ServerMessage.event(session.id, seq: session.seq, at: now, event)
    guard case .messageSent(_, .only(let ids), let source) = event else {
      return send(message, toAll: audience)
    }
    let named = ids + [source]
    let chosen = named.compactMap { session.participants[$0].flatMap { devices[$0.device]?.peer } }
    send(message, toAll: chosen)
    let excluded = Set(chosen)
    let others = audience.filter { !excluded.contains($0) }
    send(.withheld(session.id, seq: session.seq), toAll: others)
  }

  private mutating func buryIfEnded(_ id: SessionID) {
    guard let session = sessions[id]?.session, case .ended(let reason) = session.state,
      sessions[id]?.inFlight == nil
    else { return }
    sessions[id] = nil
    deadlines.forget(.session(id))
    outputs.append(.forget(.session(id)))
    tombstones.add(id, reason, limit: limits.tombstones)
  }

  mutating func armSession(_ id: SessionID) {
    deadlines.arm(.session(id), at: sessions[id]?.session?.nextDeadline)
  }
}
