import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Tells a device what its request came to, once that is kept, and remembers it in case it is
  /// asked again.
  mutating func tell(_ answer: RecordedAnswer) {
    guard devices[answer.device]?.life == answer.life else { return }
    devices.change(answer.device) { $0?.answers.settle(answer.request, answer.outcome) }
    send(answer.outcome.message(to: answer.request), to: answer.device)
  }

  /// An answer could not be kept: the request came to nothing, and may be repeated.
  mutating func giveUp(_ answer: RecordedAnswer) {
    guard devices[answer.device]?.life == answer.life else { return }
    devices[answer.device]?.answers.forget(answer.request)
    send(.error(answer.request, .journalUnavailable(limits)), to: answer.device)
  }

  /// Refuses a request; unless it only came at a bad moment, the refusal stands when it is repeated.
  mutating func refuse(_ reply: Reply?, _ error: ProtocolError) {
    guard let reply, isAsking(reply) else { return }
    guard error.isTemporary else { return settle(reply, .refused(error)) }
    devices[reply.device]?.answers.forget(reply.id)
    send(.error(reply.id, error), to: reply.device)
  }

  /// Has a request's outcome kept and told, where no group's or session's events go with it.
  mutating func settle(_ reply: Reply?, _ outcome: RequestOutcome) {
    guard let reply, let answer = record(outcome, for: reply) else { return }
    append([], to: .device(reply.device), after: 1, answer: answer)
  }

  func isAsking(_ reply: Reply) -> Bool {
    devices[reply.device]?.life == reply.life
  }

  /// What a group's command is answered once its last event is that one; the start of a session is
  /// answered when that has begun.
  func answer(to work: GroupWork, _ seq: Int) -> Answer? {
    if case .start = work.task { nil } else { .done(seq: seq) }
  }

  /// A group's command is carried out.
  mutating func finish(_ work: GroupWork, _ answer: RecordedAnswer?, on id: GroupID) {
    if let answer { tell(answer) }
    switch work.task {
    case .start(let session, let beginning, _):
      sessions[session] = SessionAggregate()
      perform(SessionWork(task: .begin(beginning), reply: work.reply), on: session)
    case .command(.join(let member)):
      // It may have broken off, started anew or gone elsewhere while its join was being kept.
      if devices[member.device]?.group != id {
        perform(GroupWork(task: .command(.leave(member.device))), on: id)
      } else if devices[member.device]?.peer == nil {
        perform(GroupWork(task: .command(.lose(member.device))), on: id)
      }
    case .command(.lose(let device)): returnIfBack(device, to: id)
    case .command(.resume(let device)): tellEligibility(of: device, isForced: true)
    default: break
    }
  }

  /// A loss that was kept late may be outdated: the device is back, and nothing that waits says so.
  private mutating func returnIfBack(_ device: DeviceID, to id: GroupID) {
    guard devices[device]?.group == id, devices[device]?.peer != nil,
      groups[id]?.waiting.contains(where: { $0.concerns(device) }) == false
    else { return }
    perform(GroupWork(task: .command(.resume(device))), on: id)
  }

  /// Whether a refused start was for what goes on already, and went there.
  mutating func isMerged(_ work: GroupWork, _ rejection: GroupRejection) -> Bool {
    guard case .sessionLive(let live) = rejection, case .start(_, let beginning, _) = work.task,
      let reply = work.reply, let device = devices[reply.device], isAsking(reply)
    else { return false }
    return rejoin(
      live, of: device, beginning.activity, isStaged: beginning.isStaged, reply)
  }

  /// A group's command was refused; one who wanted to join is in no group.
  mutating func fail(_ work: GroupWork, _ error: ProtocolError, on id: GroupID) {
    if case .command(.join(let member)) = work.task, devices[member.device]?.group == id,
      !isAdmitted(member.device, to: id)
    {
      devices[member.device]?.group = nil
    }
    refuse(work.reply, error)
    if case .command(.join(let member)) = work.task, let device = devices[member.device],
      device.group == nil, device.peer == nil
    {
      forget(member.device)
      tellTray(ofAbsent: device)
    }
  }

  /// Whether a device, if it is connected, hears of what happens in a group: one that started anew
  /// does not, though the group may count it until it can keep that it left.
  private func isAdmitted(_ device: DeviceID, to id: GroupID) -> Bool {
    guard let peer = devices[device]?.peer else {
      return groups[id]?.group?.members[device] != nil
    }
    return groups[id]?.audience.contains(peer) == true
  }

  /// What a session's command is answered once these events are kept.
  func answer(to work: SessionWork, _ events: [SessionEvent], on id: SessionID) -> Answer? {
    guard let reply = work.reply else { return nil }
    let seq = sessions[id]?.session?.seq ?? 0
    switch reply.wanted {
    case .done: return .done(seq: events.isEmpty ? nil : seq + events.count)
    case .activated(let isNew):
      let destination = devices[reply.device].map(destination(of:))?.device ?? reply.device
      return .activated(id, isNew: isNew, willDeliver: destination == reply.device)
    case .joined:
      guard case .command(.join(let joiner)) = work.task else { return nil }
      // One who takes part already goes on as who it is.
      let known = sessions[id]?.session?.participant(on: reply.device)?.id
      return .joined(id, known ?? joiner.id)
    case .invitationAnswered: return invitationAnswer(to: work, events, on: id, reply)
    case .suspended(let participant, let reason):
      let standing = sessions[id]?.session?.suspension(of: participant, reason)
      return (events.suspension(of: participant) ?? standing).map { .suspended($0) }
        ?? .done(seq: nil)
    case .suspensionEnded(let participant, let isProposing):
      let open =
        sessions[id]?.session?.playback.participants[participant]?.suspensions.count ?? 0
      return isProposing && open > events.endedSuspensions(of: participant)
        ? .proposalDropped : .done(seq: seq + events.count)
    }
  }

  /// What an answer to an invitation is answered: that the device takes part, where it does.
  private func invitationAnswer(
    to work: SessionWork, _ events: [SessionEvent], on id: SessionID, _ reply: Reply
  ) -> Answer {
    if let joiner = work.joiner {
      let joined = events.contains { $0.isArrival(of: joiner.id) } ? joiner.id : nil
      let known = sessions[id]?.session?.participant(on: reply.device)?.id
      if let participant = known ?? joined { return .joined(id, participant) }
    }
    guard !events.isEmpty else { return .alreadyAnswered }
    return .done(seq: (sessions[id]?.session?.seq ?? 0) + events.count)
  }

  /// A session's command is carried out, and so is what follows for the one who asked.
  mutating func finish(_ work: SessionWork, _ answer: RecordedAnswer?, on id: SessionID) {
    if case .command(.decline(let device)) = work.task, devices[device]?.offered == id {
      withdrawOffer(from: device, .declined)
    }
    guard let reply = work.reply else { return }
    if let joiner = work.joiner, isIn(joiner, id) {
      return welcome(reply, joiner, answer, in: id)
    }
    letGo(of: work.joiner)
    guard let answer else { return }
    tell(answer)
    if reply.wanted == .activated(isNew: false), let session = sessions[id]?.session,
      let device = devices[reply.device]
    {
      offer(session, to: destination(of: device).device, isWanted: true)
    }
  }

  /// A session's command was refused; one who wanted to join is in no session.
  mutating func fail(_ work: SessionWork, _ error: ProtocolError, on id: SessionID) {
    if let joiner = work.joiner, sessions[id]?.session?.participants[joiner.id] == nil {
      letGo(of: joiner)
    }
    refuse(work.reply, error)
    tell(work.bearer, .refused(error))
  }

  /// Whether one who wanted to join takes part, under whatever name.
  private func isIn(_ joiner: Joiner, _ id: SessionID) -> Bool {
    guard let session = sessions[id]?.session else { return false }
    return session.participants[joiner.id] != nil || session.participant(on: joiner.device) != nil
  }

  /// One who wanted to join is in no session after all.
  private mutating func letGo(of joiner: Joiner?) {
    guard let joiner, devices[joiner.device]?.participant == joiner.id else { return }
    devices[joiner.device]?.session = nil
    devices[joiner.device]?.participant = nil
  }

  /// A joiner gets its answer, one atomic snapshot, and every event from there on.
  ///
  /// - Parameter answer: `nil` if it had gone when its join was decided.
  private mutating func welcome(
    _ reply: Reply, _ joiner: Joiner, _ answer: RecordedAnswer?, in id: SessionID
  ) {
    guard let session = sessions[id]?.session,
      // One who takes part already goes on as who it is.
      let known = session.participants[joiner.id] ?? session.participant(on: reply.device)
    else { return }
    let participant = known.id
    guard let device = devices[reply.device], isAsking(reply), device.group == session.group,
      device.session ?? id == id
    else {
      // It started anew, left the group or joined another session while its join was being kept.
      refuse(reply, ProtocolError(.notJoined))
      return perform(SessionWork(task: .command(.leave(participant)), reply: nil), on: id)
    }
    devices[reply.device]?.session = id
    devices[reply.device]?.participant = participant
    devices[reply.device]?.offered = nil
    if let answer { tell(answer) }
    guard let peer = device.peer else {
      return perform(SessionWork(task: .command(.lose(participant)), reply: nil), on: id)
    }
    send(.snapshot(SessionSnapshot(session: session, participant: participant, at: now)), to: peer)
    if sessions[id]?.audience.contains(peer) == false { sessions[id]?.addToAudience(peer) }
  }
}

extension RequestOutcome {
  /// The outcome as it is told.
  func message(to request: RequestID) -> ServerMessage {
    switch self {
    case .answered(let answer): .answer(request, answer)
    case .refused(let error): .error(request, error)
    }
  }
}

extension ProtocolError {
  /// Whether the same request may well succeed later.
  fileprivate var isTemporary: Bool {
    switch code {
    case .busy, .journalUnavailable, .shuttingDown: true
    default: false
    }
  }
}

extension [SessionEvent] {
  /// The number of the suspension that they begin.
  fileprivate func suspension(of participant: ParticipantID) -> SuspensionID? {
    for case .playback(.suspensionBegan(participant, let number, _, isImposed: false)) in self {
      return number
    }
    return nil
  }

  /// How many suspensions they end.
  fileprivate func endedSuspensions(of participant: ParticipantID) -> Int {
    reduce(0) { count, event in
      if case .playback(.suspensionEnded(participant, _)) = event { count + 1 } else { count }
    }
  }
}

extension GroupSession {
  /// The number of a suspension that stands already.
  fileprivate func suspension(of participant: ParticipantID, _ reason: SuspensionReason)
    -> SuspensionID?
  {
    playback.participants[participant]?.suspensions
      .last { $0.reason == reason && !$0.isImposed }?.id
  }
}
