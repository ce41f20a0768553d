import DequeModule
import GroupSessions
import Vocabulary
import Wire

// The one way a group changes: decide, append, and, once kept, evolve, send, answer.

extension Coordinator {
  /// Carries a command out on a group, or behind those that wait for its journal.
  ///
  /// Requests may meet the bound on waiting; what has to happen anyway, such as a loss, does not.
  /// While writing fails, requests are turned away, and the rest is made good later.
  mutating func perform(_ work: GroupWork, on id: GroupID) {
    guard let isBusy = groups[id]?.inFlight.isPresent else {
      return fail(work, ProtocolError(.notInGroup), on: id)
    }
    guard groups[id]?.isResting == false else {
      return fail(work, .journalUnavailable(limits), on: id)
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
      let events = try events(of: work, on: id)
      let seq = groups[id]?.group?.seq ?? 0
      let answer = record(answer(to: work, seq + events.count), for: work.reply)
      guard !events.isEmpty || answer != nil else { return finish(work, nil, on: id) }
      groups[id]?.inFlight = .present(work)
      append(events.map { .group($0) }, to: .group(id), after: seq, answer: answer)
    } catch {
      guard !isMerged(work, error) else { return }
      fail(work, ProtocolError(error), on: id)
    }
  }

  private func events(of work: GroupWork, on id: GroupID) throws(GroupRejection) -> [GroupEvent] {
    switch work.task {
    case .open(let founder): groups[id]?.group == nil ? [.opened(by: founder)] : []
    case .command(let command):
      try groups[id]?.group?.decide(command, at: now, limits: limits) ?? []
    case .start(let session, let beginning, let isReplacing):
      try groups[id]?.group?.decide(
        .startSession(session, by: beginning.initiator.device, replacing: isReplacing),
        at: now, limits: limits) ?? []
    }
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func groupAppended(_ id: GroupID, _ append: Append, _ outcome: AppendOutcome) {
    guard let work = groups[id]?.inFlight.value else { return }
    groups[id]?.inFlight = .absent
    switch outcome {
    case .kept:
      apply(append.events, to: id)
      readmit(work, to: id)
      finish(work, append.answer, on: id)
    case .preceded(let others):
      apply(others, to: id)
      decide(work, on: id)
    case .failed:
      return rest(id, without: work)
    }
    while groups[id]?.inFlight.isPresent == false, let next = groups[id]?.takeWaiting() {
      decide(next, on: id)
    }
    armGroup(id)
    buryIfClosed(id)
  }

  private mutating func apply(_ records: [RecordedEvent], to id: GroupID) {
    let before = groups[id]?.group?.seq ?? 0
    for record in records {
      if case .group(let event) = record.event { apply(event, at: record.at, to: id) }
    }
    guard let group = groups[id]?.group, isSnapshotDue(from: before, to: group.seq) else { return }
    outputs.append(.snapshot(.group(group)))
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

  mutating func buryIfClosed(_ id: GroupID) {
    guard groups[id]?.group?.isClosed == true, groups[id]?.inFlight.isPresent == false else {
      return
    }
    groups[id] = nil
    deadlines.forget(.group(id))
    outputs.append(.forget(.group(id)))
  }

  mutating func armGroup(_ id: GroupID) {
    guard groups[id]?.inFlight.isPresent == false else { return }
    deadlines.arm(.group(id), at: groups[id]?.group?.nextDeadline)
  }

  /// Time passed for a group.
  mutating func wake(_ id: GroupID) {
    if groups[id]?.isResting == true {
      groups[id]?.isResting = false
      reconcile(id)
    }
    if groups[id]?.group?.nextDeadline.map({ $0 <= now }) == true {
      perform(GroupWork(task: .command(.clockAdvanced)), on: id)
    }
    armGroup(id)
  }
}

// MARK: When writing fails

extension Coordinator {
  /// Writing failed: what was asked is turned away, and the group tries again later.
  private mutating func rest(_ id: GroupID, without work: GroupWork) {
    let waiting = groups[id]?.waiting ?? []
    groups[id]?.waiting = []
    groups[id]?.isResting = true
    for work in [work] + waiting { fail(work, .journalUnavailable(limits), on: id) }
    if groups[id]?.group == nil {
      groups[id] = nil  // Its opening was not kept.
    } else {
      deadlines.arm(.group(id), at: now + limits.journalRetry)
    }
  }

  /// Brings a group up to what is so meanwhile: what had to happen while it could not be kept.
  ///
  /// - Parameter isInterrupted: whether everyone is about to be lost, so that nobody needs to be one
  ///   by one.
  mutating func reconcile(_ id: GroupID, isInterrupted: Bool = false) {
    guard let group = groups[id]?.group else { return }
    for device in group.members.keys {
      let isLost = isInterrupted || group.lost[device] != nil
      let command: GroupCommand
      switch Presence(of: devices[device], in: id) {
      case .elsewhere: command = .leave(device)
      case .away where !isLost: command = .lose(device)
      case .here where isLost: command = .resume(device)
      case .away, .here: continue
      }
      perform(GroupWork(task: .command(command)), on: id)
    }
    if group.members.isEmpty {
      perform(GroupWork(task: .command(.clockAdvanced)), on: id)
    }
    if let session = group.session, sessions[session] == nil {
      perform(GroupWork(task: .command(.endSession(session))), on: id)
    }
  }
}
