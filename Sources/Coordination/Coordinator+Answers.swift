import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Answers a request, and remembers the answer in case it is asked again.
  mutating func answer(_ reply: Reply?, _ answer: Answer) {
    guard let reply, isAsking(reply) else { return }
    devices[reply.device]?.answers.finish(reply.id, .answered(answer))
    send(.answer(reply.id, answer), to: reply.device)
  }

  mutating func refuse(_ reply: Reply?, _ error: ProtocolError) {
    guard let reply, isAsking(reply) else { return }
    devices[reply.device]?.answers.finish(reply.id, .refused(error))
    send(.error(reply.id, error), to: reply.device)
  }

  private func isAsking(_ reply: Reply) -> Bool {
    devices[reply.device]?.life == reply.life
  }

  /// A group's command is carried out.
  mutating func finish(_ work: GroupWork, on id: GroupID) {
    switch work.task {
    case .start(let session, let beginning, _):
      sessions[session] = SessionAggregate()
      return perform(SessionWork(task: .begin(beginning), reply: work.reply), on: session)
    case .command(.join(let member)):
      // It may have broken off, started anew or gone elsewhere while its join was being kept.
      if devices[member.device]?.group != id {
        perform(GroupWork(task: .command(.leave(member.device))), on: id)
      } else if devices[member.device]?.peer == nil {
        perform(GroupWork(task: .command(.lose(member.device))), on: id)
      }
    case .command(.resume(let device)): tellEligibility(of: device, isForced: true)
    default: break
    }
    answer(work.reply, .done(seq: groups[id]?.group?.seq))
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
      groups[id]?.group?.members[member.device] == nil
    {
      devices[member.device]?.group = nil
    }
    refuse(work.reply, error)
    if case .command(.join(let member)) = work.task, devices[member.device]?.group == nil,
      devices[member.device]?.peer == nil
    {
      devices[member.device] = nil
    }
  }

  /// A session's command is carried out, with these events.
  mutating func finish(_ work: SessionWork, _ events: [SessionEvent], on id: SessionID) {
    if case .command(.decline(let device)) = work.task, devices[device]?.offered == id {
      withdrawOffer(from: device, .notEligible)
    }
    guard let reply = work.reply else { return }
    switch reply.wanted {
    case .done:
      answer(reply, .done(seq: events.isEmpty ? nil : sessions[id]?.session?.seq))
    case .activated(let isNew):
      let destination = devices[reply.device].map(destination(of:))?.device ?? reply.device
      answer(
        reply, .activated(id, isNew: isNew, willDeliver: destination == reply.device))
      guard !isNew, let session = sessions[id]?.session else { return }
      offer(session, to: destination, isWanted: true)
    case .joined:
      guard case .command(.join(let joiner)) = work.task else { return }
      welcome(reply, joiner, in: id)
    case .suspended(let participant, let reason):
      let open = sessions[id]?.session?.playback.participants[participant]?.suspensions
      let suspension = open?.last { $0.reason == reason && !$0.isImposed }
      answer(reply, suspension.map { .suspended($0.id) } ?? .done(seq: nil))
    case .suspensionEnded(let participant, let isProposing):
      let open = sessions[id]?.session?.playback.participants[participant]?.suspensions ?? []
      answer(
        reply,
        isProposing && !open.isEmpty ? .proposalDropped : .done(seq: sessions[id]?.session?.seq))
    }
  }

  /// A session's command was refused; one who wanted to join is in no session.
  mutating func fail(_ work: SessionWork, _ error: ProtocolError, on id: SessionID) {
    if case .command(.join(let joiner)) = work.task,
      devices[joiner.device]?.participant == joiner.id,
      sessions[id]?.session?.participants[joiner.id] == nil
    {
      devices[joiner.device]?.session = nil
      devices[joiner.device]?.participant = nil
    }
    refuse(work.reply, error)
  }

  /// A joiner gets its answer, one atomic snapshot, and every event from there on.
  private mutating func welcome(_ reply: Reply, _ joiner: Joiner, in id: SessionID) {
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
    answer(reply, .joined(id, participant))
    guard let peer = device.peer else {
      return perform(SessionWork(task: .command(.lose(participant)), reply: nil), on: id)
    }
    send(.snapshot(SessionSnapshot(session: session, participant: participant, at: now)), to: peer)
    if sessions[id]?.audience.contains(peer) == false { sessions[id]?.addToAudience(peer) }
  }
}
