import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

// The one way a session changes: decide, append, and, once kept, evolve, send, answer.
//
// Here, on the way of every command, stored properties are read through the tables one by one:
// whatever is computed, by a property or a method, may be computed on a copy of the session, with
// some thirty references to count. And they are changed by `change`, which needs no memory.

extension Coordinator {
  /// Carries a command out on a session, or behind those that wait for its journal.
  mutating func perform(_ work: SessionWork, on id: SessionID) {
    guard let isBusy = sessions[id]?.inFlight.isPresent else {
      return fail(work, unknownSession(id), on: id)
    }
    guard sessions[id]?.isResting == false else {
      return fail(work, .journalUnavailable(limits), on: id)
    }
    guard isBusy else { return decide(work, on: id) }
    let waitingCount = sessions[id]?.waiting.count ?? 0
    guard !work.isAwaited || waitingCount < limits.pendingCommands else {
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
        case .begin(let beginning):
          sessions[id]?.session == nil ? try self.events(of: beginning, as: id) : []
        case .look: try look(at: id)
        case .command(.activate(let initiator)): try activation(by: initiator, of: id)
        case .command(let command):
          try sessions[id]?.session?.decide(
            command, at: now, under: conditions(of: id, command)) ?? []
        }
      // Nothing more is kept of a session that is over.
      if events.isEmpty, case .ended? = sessions[id]?.session?.state {
        return settle(work.reply, .answered(.done(seq: nil)))
      }
      let answer = record(answer(to: work, events, on: id), for: work.reply)
      guard !events.isEmpty || answer != nil else {
        tell(work.bearer, .answered(.alreadyAnswered))
        return finish(work, nil, on: id)
      }
      sessions.change(id) { $0?.inFlight = .present(work) }
      append(
        events.map { .session($0) }, to: .session(id), after: sessions[id]?.session?.seq ?? 0,
        answer: answer)
    } catch {
      fail(work, ProtocolError(error), on: id)
    }
  }

  /// A staged session that becomes one invites, as one does that begins.
  private func activation(by initiator: Initiator, of id: SessionID) throws(SessionRejection)
    -> [SessionEvent]
  {
    guard let session = sessions[id]?.session else { return [] }
    let events = try session.decide(
      .activate(by: initiator), at: now, under: PlaybackConditions(limits: limits))
    return events.isEmpty ? [] : events + (try invitations(after: events, to: session))
  }

  /// Nothing happens; but a session that ended while this waited is not what was asked for.
  private func look(at id: SessionID) throws(SessionRejection) -> [SessionEvent] {
    if case .ended(let reason)? = sessions[id]?.session?.state { throw .ended(reason) }
    return []
  }

  private func conditions(of id: SessionID, _ command: SessionCommand) -> PlaybackConditions {
    guard let delays = sessions[id]?.delays else { return PlaybackConditions(limits: limits) }
    var conditions = PlaybackConditions(slowestDelay: delays.slowest, limits: limits)
    if case .playback(.pause, let originator) = command, followsClock(originator, in: id) {
      conditions.originatorDelay = delays[originator] ?? .zero
    }
    return conditions
  }

  /// Whether a participant plays by the group's clock: the peers that the server makes itself say
  /// where their players are, and how wrong they are does not grow with the length of their lines.
  private func followsClock(_ participant: ParticipantID, in id: SessionID) -> Bool {
    guard let known = sessions[id]?.session?.participants[participant] else { return true }
    return !Hello.isReserved(known.user.text)
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func sessionAppended(_ id: SessionID, _ append: Append, _ outcome: AppendOutcome) {
    guard let work = sessions[id]?.inFlight.value else { return }
    sessions.change(id) { $0?.inFlight = .absent }
    switch outcome {
    case .kept:
      apply(append.events, to: id)
      finish(work, append.answer, on: id)
      tell(work.bearer, .answered(.done(seq: nil)))
    case .preceded(let others):
      apply(others, to: id)
      decide(work, on: id)
    case .failed:
      return rest(id, without: work)
    }
    while sessions[id]?.inFlight.isPresent == false, sessions[id]?.waiting.isEmpty == false,
      let next = sessions[id]?.takeWaiting()
    {
      decide(next, on: id)
    }
    armSession(id)
    buryIfEnded(id)
  }

  private mutating func apply(_ records: [RecordedEvent], to id: SessionID) {
    let before = sessions[id]?.session?.seq ?? 0
    for record in records {
      if case .session(let event) = record.event { apply(event, at: record.at, to: id) }
    }
    if sessions[id]?.told.isPresent == true { tellChanges(of: id) }
    guard let seq = sessions[id]?.session?.seq, isSnapshotDue(from: before, to: seq),
      let session = sessions[id]?.session
    else { return }
    // It is forgotten next; a snapshot would have the event that says how it ended dropped as old.
    if case .ended = session.state { return }
    outputs.append(.snapshot(.session(session)))
  }

  private mutating func apply(_ event: SessionEvent, at instant: Instant, to id: SessionID) {
    if case .began(let beginning) = event {
      let session = GroupSession(id: id, beginning)
      sessions[id]?.session = session
      return announce(session)
    }
    let leaving = event.leaving(sessions[id]?.session?.participants ?? Roster())
    if case .ended = event, let invitations = sessions[id]?.session?.invitations {
      revokePending(invitations, to: id)
    }
    sessions.change(id) { $0?.session?.evolve(event, at: instant) }
    guard let seq = sessions[id]?.session?.seq else { return }
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

  mutating func buryIfEnded(_ id: SessionID) {
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
    deadlines.arm(.session(id), at: nextDeadline(of: id))
  }

  private func nextDeadline(of id: SessionID) -> Instant? {
    sessions[id]?.session?.nextDeadline
  }

  /// Time passed for a session.
  mutating func wake(_ id: SessionID) {
    if sessions[id]?.isResting == true {
      sessions[id]?.isResting = false
      reconcile(id)
      if let initiator = sessions[id]?.session?.initiator, devices[initiator.device]?.peer == nil {
        perform(SessionWork(task: .command(.initiatorGone), reply: nil), on: id)
      }
    }
    if nextDeadline(of: id).map({ $0 <= now }) == true {
      perform(SessionWork(task: .command(.clockAdvanced), reply: nil), on: id)
    }
    armSession(id)
  }
}

// MARK: When writing fails

extension Coordinator {
  /// Writing failed: what was asked is turned away, and the session tries again later.
  ///
  /// Nobody's player is disturbed: the timelines that everyone has go on.
  private mutating func rest(_ id: SessionID, without work: SessionWork) {
    let waiting = sessions[id]?.waiting ?? []
    sessions[id]?.waiting = []
    sessions[id]?.isResting = true
    for work in [work] + waiting { fail(work, .journalUnavailable(limits), on: id) }
    if sessions[id]?.session == nil {
      sessions[id] = nil  // Its beginning was not kept.
      if case .begin(let beginning) = work.task {
        perform(GroupWork(task: .command(.endSession(id))), on: beginning.group)
      }
    } else {
      deadlines.arm(.session(id), at: now + limits.journalRetry)
    }
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
      return perform(SessionWork(task: .command(.terminate(reason)), reply: nil), on: id)
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
      perform(SessionWork(task: .command(command), reply: nil), on: id)
    }
  }
}
