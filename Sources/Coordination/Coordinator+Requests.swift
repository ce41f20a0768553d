import GroupSessions
import Playback
import Vocabulary
import Wire

extension Coordinator {
  /// Begins a request, unless it was begun before: then its answer is repeated.
  ///
  /// Questions are answered as things are now: a remembered answer would be outdated.
  mutating func begin(_ id: RequestID, _ request: Request, from deviceID: DeviceID) {
    switch devices[deviceID]?.answers[id] {
    case .pending: return
    case .settled(let outcome): return send(outcome.message(to: id), to: deviceID)
    case nil: break
    }
    let (isQuestion, limit) = (request.isQuestion, limits.rememberedAnswers)
    let number = devices.change(deviceID) { isQuestion ? 0 : $0?.answers.begin(id, limit: limit) }
    guard var device = devices[deviceID], let number else { return }
    // The answers stay in one place only: a change to shared ones would first copy all 256.
    device.answers = AnswerMemory()
    let done = Reply(device: device.id, life: device.life, id: id, number: number)
    do throws(ProtocolError) {
      guard !isStopping || isQuestion else { throw ProtocolError(.shuttingDown) }
      try route(request, of: device, done)
    } catch {
      isQuestion ? send(.error(id, error), to: deviceID) : refuse(done, error)
    }
  }

  /// Hands a request to whoever sees to it: each has its line here.
  private mutating func route(_ request: Request, of device: Device, _ done: Reply)
    throws(ProtocolError)
  {
    switch request {
    case .joinGroup(let group): try joinGroup(group, device, done)
    case .leaveGroup: try onGroup(.leave(device.id), device, done)
    case .closeGroup: try onGroup(.close(by: device.id), device, done)
    case .setSharing(let isSharing): try onGroup(.setSharing(device.id, isSharing), device, done)
    case .setPreferredDevice(let preferred):
      try onGroup(.setPreferredDevice(preferred, by: device.id), device, done)

    case .activate(let activation): try activate(activation, device, isStaged: false, done)
    case .stage(let activation): try activate(activation, device, isStaged: true, done)
    case .activateStaged(let session):
      try onOffered(session, .activate(by: destination(of: device)), device, done)
    case .withdraw(let session):
      try onOffered(session, .withdraw(by: device.identity.user), device, done)
    case .join(let session, let handoff): try join(session, handoffFrom: handoff, device, done)
    case .decline(let session): try onOffered(session, .decline(device.id), device, done)
    case .answerInvitation(let session, let answer, let seq):
      try self.answer(answer, to: session, seq: seq, device, done)

    case .leave(let session): try onSession(session, done) { .leave($0) }
    case .dismiss(let session): try dismiss(session, done)
    case .end(let session): try onSession(session, done) { .end(by: $0) }
    case .setActivity(let session, let activity, let revision):
      try check(activity)
      try onSession(session, done) { .setActivity(activity, ifRevision: revision, by: $0) }
    case .playback(let session, let command): try playback(command, in: session, done)
    case .queue(let session, let command):
      let command = try queueCommand(command)
      try onSession(session, done) { .queue(command, by: $0) }
    case .send(let session, let payload, let recipients):
      try check(payload)
      try onSession(session, done) { .send(payload, to: recipients, by: $0) }
    case .setRole(let session, let participant, let role):
      try onSession(session, done) { .setRole(participant, role, by: $0) }
    case .setReadyToStart(let session, let isReady, let participant):
      try onSession(session, done) { .setReadyToStart(isReady, of: participant, by: $0) }
    case .setControl(let session, let policy):
      try onSession(session, done) { .setControl(policy, by: $0) }
    case .setWaitingPolicy(let session, let policy):
      try onSession(session, done) { .setWaitingPolicy(policy, by: $0) }
    case .setDismissalPolicy(let session, let policy):
      try onSession(session, done) { .setDismissalPolicy(policy, by: $0) }
    case .remove(let session, let participant, let isBanned):
      try onSession(session, done) { .remove(participant, isBanned: isBanned, by: $0) }
    case .invite(let session, let users, let lifetime):
      try onSession(session, done) { .invite(users, lifetime: lifetime, by: $0) }
    case .revokeInvitations(let session, let users):
      try onSession(session, done) { .revokeInvitations(users, by: $0) }

    case .messaging(let request): try route(request, of: device, done)
    case .notifications(let request): try route(request, of: device, done)
    case .status(let after): report(to: device.id, done.id, after: after)
    }
  }

  private func check(_ payload: JSONText) throws(ProtocolError) {
    guard payload.text.utf8.count <= limits.messageBytes else {
      throw ProtocolError(.invalidField, field: "payload", limit: limits.messageBytes)
    }
  }

  /// A shuffle gets its seed here.
  private mutating func queueCommand(_ command: QueueCommand) throws(ProtocolError) -> QueueCommand {
    if case .shuffle = command { return .shuffle(seed: freshNumber()) }
    try check(command)
    return command
  }

  /// Where the device takes part no more there is nothing to do: what hosted the watching goes away
  /// with the session, too, and a person may be quicker than the news.
  private mutating func dismiss(_ named: SessionID?, _ reply: Reply) throws(ProtocolError) {
    let current = devices[reply.device]?.session
    if let current, named ?? current == current {
      return try onSession(named, reply) { .dismiss($0) }
    }
    if let named, sessions[named] == nil, tombstones[named] == nil {
      throw ProtocolError(.unknownSession)
    }
    settle(reply, .answered(.done(seq: nil)))
  }

  private mutating func playback(
    _ command: PlaybackCommand, in session: SessionID?, _ done: Reply
  ) throws(ProtocolError) {
    guard let participant = devices[done.device]?.participant else {
      throw try notJoined(session)
    }
    try check(command)
    let wanted: Reply.Wanted =
      switch command {
      case .suspend(let reason): .suspended(participant, reason)
      case .endSuspension(_, let place): .suspensionEnded(participant, isProposing: place != nil)
      default: .done
      }
    try onSession(session, done.wanting(wanted)) { .playback(command, by: $0) }
  }

  /// From here on the device is taken to be in the group: what it asks next waits behind the join.
  private mutating func joinGroup(_ id: GroupID, _ device: Device, _ reply: Reply)
    throws(ProtocolError)
  {
    if let current = device.group, current != id { throw ProtocolError(.alreadyInGroup) }
    if groups[id] == nil {
      guard groups.count < limits.groups else {
        throw ProtocolError(.groupsFull, limit: limits.groups)
      }
      groups[id] = GroupRoom(lane: Lane(GroupAggregate(opening: id)))
      perform(GroupWork(command: .open(by: device.identity.user)), on: id)
    }
    devices[device.id]?.group = id
    perform(GroupWork(command: .command(.join(device.member)), reply: reply), on: id)
  }

  private mutating func join(
    _ id: SessionID, handoffFrom: ParticipantID?, _ device: Device, _ reply: Reply
  ) throws(ProtocolError) {
    if let current = device.session, current != id { throw ProtocolError(.alreadyInSession) }
    try checkMembership(of: id, device)
    let joiner = joiner(device, id, handoffFrom: handoffFrom)
    perform(
      SessionWork(command: .command(.join(joiner)), reply: reply.wanting(.joined)),
      on: id)
  }

  /// From here on a device is taken to be in the session: what it asks next waits behind its joining.
  mutating func joiner(
    _ device: Device, _ id: SessionID, handoffFrom: ParticipantID? = nil
  ) -> Joiner {
    let participant = ParticipantID(mintText(prefix: "p"))
    if device.session == nil {
      devices[device.id]?.session = id
      devices[device.id]?.participant = participant
    }
    return Joiner(id: participant, identity: device.identity, handoffFrom: handoffFrom)
  }
}

// MARK: Finding the aggregate

extension Coordinator {
  private mutating func onGroup(_ command: GroupCommand, _ device: Device, _ reply: Reply)
    throws(ProtocolError)
  {
    guard let group = device.group else { throw ProtocolError(.notInGroup) }
    perform(GroupWork(command: .command(command), reply: reply), on: group)
  }

  /// A command of somebody who need not take part, but is in the group.
  private mutating func onOffered(
    _ id: SessionID, _ command: SessionCommand, _ device: Device, _ reply: Reply
  ) throws(ProtocolError) {
    try checkMembership(of: id, device)
    perform(SessionWork(command: .command(command), reply: reply), on: id)
  }

  /// Sessions are open to members of their group, and unknown to everybody else.
  private func checkMembership(of id: SessionID, _ device: Device) throws(ProtocolError) {
    guard let session = sessions[id]?.session, device.group == session.group else {
      throw unknownSession(id)
    }
    if let obstacle = obstacle(for: device) {
      throw ProtocolError(.notEligible, reason: obstacle.rawValue)
    }
  }

  /// Why a device that asks can take part in no session; `nil` if it can.
  ///
  /// It is connected, for it asks, though its group may not have kept yet that it is back.
  func obstacle(for device: Device) -> Ineligibility? {
    guard let group = device.group.flatMap({ groups[$0]?.group }) else { return .notInGroup }
    return group.obstacle(for: device.id)
  }

  private mutating func onSession(
    _ named: SessionID?, _ reply: Reply, _ command: (ParticipantID) -> SessionCommand
  ) throws(ProtocolError) {
    guard let session = devices[reply.device]?.session,
      let participant = devices[reply.device]?.participant, named ?? session == session
    else { throw try notJoined(named) }
    perform(SessionWork(command: .command(command(participant)), reply: reply), on: session)
  }

  private func notJoined(_ named: SessionID?) throws(ProtocolError) -> ProtocolError {
    guard let named, sessions[named] == nil else { return ProtocolError(.notJoined) }
    return unknownSession(named)
  }
}

extension Request {
  /// Whether it only asks how things are: nothing comes of it, and its answer is not remembered.
  fileprivate var isQuestion: Bool {
    switch self {
    case .status: true
    case .messaging(let request): request.isQuestion
    case .notifications(let request): request.isQuestion
    case .joinGroup, .leaveGroup, .closeGroup, .setSharing, .setPreferredDevice, .activate, .stage,
      .activateStaged, .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
      .revokeInvitations, .answerInvitation, .playback, .queue, .send, .setRole, .setReadyToStart,
      .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove:
      false
    }
  }
}

extension MessagingRequest {
  /// Whether it only asks how things are.
  var isQuestion: Bool {
    switch self {
    case .revalidate, .explain: true
    case .appState, .logEvent, .logPurchase, .logPushOpened, .report, .setAttributes,
      .setMembership, .setCollection, .pause, .wipe, .test:
      false
    }
  }
}

extension TrayRequest {
  /// Whether it only asks how things are.
  var isQuestion: Bool {
    switch self {
    case .list, .objectState: true
    case .register, .unregister, .subscribe, .unsubscribe, .publish, .push, .report, .remove,
      .wipe:
      false
    }
  }
}
