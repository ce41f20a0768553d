import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Answers a request, and remembers the answer in case it is asked again.
  mutating func answer(_ reply: Reply?, _ answer: Answer) {
    guard let reply else { return }
    devices[reply.device]?.answers.finish(reply.id, .answered(answer))
    send(.answer(reply.id, answer), to: reply.device)
  }

  mutating func refuse(_ reply: Reply?, _ error: ProtocolError) {
    guard let reply else { return }
    devices[reply.device]?.answers.finish(reply.id, .refused(error))
    send(.error(reply.id, error), to: reply.device)
  }

  mutating func refuse(_ reply: Reply?, _ code: ErrorCode) {
    refuse(reply, ProtocolError(code))
  }

  /// A group's command is carried out.
  mutating func finish(_ work: GroupWork, on id: GroupID) {
    if let beginning = work.beginning, case .command(.startSession(let session, _, _)) = work.task {
      sessions[session] = Boxed(SessionAggregate())
      return perform(SessionWork(task: .begin(beginning), reply: work.reply), on: session)
    }
    if case .command(.join(let member)) = work.task, let group = groups[id]?.group {
      send(.group(group), to: member.device)
    }
    answer(work.reply, .done(seq: groups[id]?.seq))
  }

  /// A session's command is carried out, with these events.
  mutating func finish(_ work: SessionWork, _ events: [SessionEvent], on id: SessionID) {
    guard let reply = work.reply else { return }
    switch reply.wanted {
    case .done:
      answer(reply, .done(seq: events.isEmpty ? nil : sessions[id]?.seq))
    case .activated:
      answer(reply, .activated(id, isNew: true, willDeliver: true))
    case .joined(let participant):
      welcome(participant, reply, in: id)
    case .suspended(let participant, let reason):
      let open = sessions[id]?.session?.playback.participants[participant]?.suspensions
      let suspension = open?.last { $0.reason == reason && !$0.isImposed }
      answer(reply, suspension.map { .suspended($0.id) } ?? .done(seq: nil))
    case .suspensionEnded(let participant, let isProposing):
      let open = sessions[id]?.session?.playback.participants[participant]?.suspensions ?? []
      answer(
        reply, isProposing && !open.isEmpty ? .proposalDropped : .done(seq: sessions[id]?.seq))
    }
  }

  /// A joiner gets its answer, one atomic snapshot, and every event from there on.
  private mutating func welcome(_ id: ParticipantID, _ reply: Reply, in sessionID: SessionID) {
    guard let session = sessions[sessionID]?.session,
      let participant = session.participant(on: reply.device)
    else { return refuse(reply, unknownSession(sessionID)) }
    devices[reply.device]?.session = sessionID
    devices[reply.device]?.participant = participant.id
    devices[reply.device]?.offered = nil
    answer(reply, .joined(sessionID, participant.id))
    guard let peer = devices[reply.device]?.peer else {
      // Its connection broke while it was joining.
      return perform(SessionWork(task: .command(.lose(participant.id)), reply: nil), on: sessionID)
    }
    send(
      .snapshot(SessionSnapshot(session: session, participant: participant.id, at: now)), to: peer)
    if sessions[sessionID]?.audience.contains(peer) == false {
      sessions[sessionID]?.audience.append(peer)
    }
  }
}
