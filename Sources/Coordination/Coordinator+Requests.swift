import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Begins a request, unless it was begun before: then its answer is repeated.
  mutating func begin(_ id: RequestID, _ request: Request, from device: DeviceID) {
    switch devices[device]?.answers[id] {
    case .pending: return
    case .answered(let answer): return send(.answer(id, answer), to: device)
    case .refused(let error): return send(.error(id, error), to: device)
    case nil: break
    }
    if case .status = request { return report(to: device, id) }
    devices[device]?.answers.begin(id, limit: limits.rememberedAnswers)
    do {
      try route(request, id, from: device)
    } catch {
      refuse(Reply(device: device, id: id, wanted: .done), error)
    }
  }

  private mutating func route(_ request: Request, _ id: RequestID, from device: DeviceID)
    throws(ProtocolError)
  {
    let done = Reply(device: device, id: id, wanted: .done)
    switch request {
    case .joinGroup(let group): try joinGroup(group, done)
    case .leaveGroup: try onGroup(.leave(device), done)
    case .closeGroup: try onGroup(.close(by: device), done)
    case .setSharing(let isSharing): try onGroup(.setSharing(device, isSharing), done)
    case .activate(let activation): try activate(activation, isStaged: false, done)
    case .stage(let activation): try activate(activation, isStaged: true, done)
    case .activateStaged(let session):
      try onOffered(session, .activate(by: device), done)
    case .withdraw(let session):
      guard let user = devices[device]?.user else { return }
      try onOffered(session, .withdraw(by: user), done)
    case .join(let session, let handoff): try join(session, handoffFrom: handoff, done)
    case .decline(let session): try onOffered(session, .decline(device), done)
    case .status: break
    default: try steer(request, done)
    }
  }

  /// The verbs of those who take part.
  private mutating func steer(_ request: Request, _ done: Reply) throws(ProtocolError) {
    switch request {
    case .leave(let session): try onSession(session, done) { .leave($0) }
    case .end(let session): try onSession(session, done) { .end(by: $0) }
    case .setActivity(let session, let activity, let revision):
      try check(activity)
      try onSession(session, done) { .setActivity(activity, ifRevision: revision, by: $0) }
    case .playback(let session, let command): try playback(command, in: session, done)
    case .queue(let session, .shuffle):
      let seed = freshNumber()
      try onSession(session, done) { .queue(.shuffle(seed: seed), by: $0) }
    case .queue(let session, let command):
      try onSession(session, done) { .queue(command, by: $0) }
    case .send(let session, let payload, let recipients):
      try onSession(session, done) { .send(payload, to: recipients, by: $0) }
    case .setRole(let session, let participant, let role):
      try onSession(session, done) { .setRole(participant, role, by: $0) }
    case .setControl(let session, let policy):
      try onSession(session, done) { .setControl(policy, by: $0) }
    case .setWaitingPolicy(let session, let policy):
      try onSession(session, done) { .setWaitingPolicy(policy, by: $0) }
    case .remove(let session, let participant, let isBanned):
      try onSession(session, done) { .remove(participant, isBanned: isBanned, by: $0) }
    default: break
    }
  }

  private mutating func playback(
    _ command: PlaybackCommand, in session: SessionID?, _ done: Reply
  ) throws(ProtocolError) {
    guard let participant = devices[done.device]?.participant else {
      throw try notJoined(session)
    }
    let wanted: Reply.Wanted =
      switch command {
      case .suspend(let reason): .suspended(participant, reason)
      case .endSuspension(_, let place): .suspensionEnded(participant, isProposing: place != nil)
      default: .done
      }
    let reply = Reply(device: done.device, id: done.id, wanted: wanted)
    try onSession(session, reply) { .playback(command, by: $0) }
  }

  private mutating func joinGroup(_ id: GroupID, _ reply: Reply) throws(ProtocolError) {
    guard let device = devices[reply.device] else { return }
    if let current = device.group, current != id { throw ProtocolError(.alreadyInGroup) }
    if groups[id] == nil {
      guard groups.count < limits.groups else {
        throw ProtocolError(.groupsFull, limit: limits.groups)
      }
      groups[id] = Boxed(GroupAggregate())
      perform(GroupWork(task: .open(by: device.user)), on: id)
    }
    perform(GroupWork(task: .command(.join(device.member)), reply: reply), on: id)
  }

  private mutating func join(
    _ id: SessionID, handoffFrom: ParticipantID?, _ reply: Reply
  ) throws(ProtocolError) {
    guard let device = devices[reply.device] else { return }
    if let current = device.session, current != id { throw ProtocolError(.alreadyInSession) }
    try checkMembership(of: id, device)
    let participant = ParticipantID(mintText(prefix: "p"))
    let joiner = Joiner(
      id: participant, user: device.user, device: device.id, name: device.name,
      handoffFrom: handoffFrom)
    let reply = Reply(device: reply.device, id: reply.id, wanted: .joined(participant))
    perform(SessionWork(task: .command(.join(joiner)), reply: reply), on: id)
  }
}

// MARK: Finding the aggregate

extension Coordinator {
  private mutating func onGroup(_ command: GroupCommand, _ reply: Reply) throws(ProtocolError) {
    guard let group = devices[reply.device]?.group else { throw ProtocolError(.notInGroup) }
    perform(GroupWork(task: .command(command), reply: reply), on: group)
  }

  /// A command of somebody who need not take part, but is in the group.
  private mutating func onOffered(
    _ id: SessionID, _ command: SessionCommand, _ reply: Reply
  ) throws(ProtocolError) {
    guard let device = devices[reply.device] else { return }
    try checkMembership(of: id, device)
    perform(SessionWork(task: .command(command), reply: reply), on: id)
  }

  /// Sessions are open to members of their group, and unknown to everybody else.
  private func checkMembership(of id: SessionID, _ device: Device) throws(ProtocolError) {
    guard let session = sessions[id]?.session, device.group == session.group else {
      throw unknownSession(id)
    }
    if case .ineligible(let reason) = device.eligibility, reason != .alone {
      throw ProtocolError(.notEligible, reason: reason.rawValue)
    }
  }

  private mutating func onSession(
    _ named: SessionID?, _ reply: Reply, _ command: (ParticipantID) -> SessionCommand
  ) throws(ProtocolError) {
    guard let session = devices[reply.device]?.session,
      let participant = devices[reply.device]?.participant, named ?? session == session
    else { throw try notJoined(named) }
    perform(SessionWork(task: .command(command(participant)), reply: reply), on: session)
  }

  private func notJoined(_ named: SessionID?) throws(ProtocolError) -> ProtocolError {
    guard let named, sessions[named] == nil else { return ProtocolError(.notJoined) }
    return unknownSession(named)
  }
}
