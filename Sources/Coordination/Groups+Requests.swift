import GroupSessions
import Playback
import Signatures
import Vocabulary
import Wire

// Requests for groups and sessions.

extension Groups {
  mutating func begin(_ request: Request, _ reply: Reply) {
    do throws(ProtocolError) {
      guard !isJoiningGroup(reply.device) || !request.isForMembers else {
        return try deferUntilJoined(request, reply)
      }
      try route(request, reply)
    } catch {
      turn.refuse(reply, error)
    }
  }

  /// Whether a device's joining of its group is being stored.
  private func isJoiningGroup(_ device: DeviceID) -> Bool {
    // A member follows its group; this one lookup is on the way of every request.
    seats[device]?.followsGroup == false && seats[device]?.isConnected == true
      && seats[device]?.group != nil
  }

  /// Keeps a request for members until its device's joining is stored; until then it would be
  /// refused.
  mutating func deferUntilJoined(_ request: Request, _ reply: Reply) throws(ProtocolError) {
    let bound = turn.limits.deferredRequests
    guard let count = seats[reply.device]?.deferred.count, count < bound else {
      throw .busy(turn.limits, bound)
    }
    let number = turn.freshNumber()
    seats[reply.device]?.wait(
      with: DeferredRequest(request: request, reply: reply, number: number))
  }

  /// Handles what a device asked while its joining was being stored.
  mutating func handleDeferred(of device: DeviceID) {
    for deferred in takeDeferred(of: device) {
      turn.takeBack(deferred.number)
      begin(deferred.request, deferred.reply)
    }
  }

  /// Handles what a device asked while its joining was being stored, which failed.
  mutating func handleDeferred(of device: DeviceID, after failure: ProtocolError) {
    failure.isTemporary ? refuseDeferred(of: device, failure) : handleDeferred(of: device)
  }

  /// Refuses what a device asked while its joining was being stored.
  mutating func refuseDeferred(of device: DeviceID, _ error: ProtocolError) {
    for deferred in takeDeferred(of: device) { turn.refuse(deferred.reply, error) }
  }

  private mutating func takeDeferred(of device: DeviceID) -> [DeferredRequest] {
    seats.change(device) { $0?.takeDeferred() } ?? []
  }

  /// Dispatches a request.
  private mutating func route(_ request: Request, _ done: Reply) throws(ProtocolError) {
    switch request {
    case .joinGroup(let group, let key): try joinGroup(group, with: key, seat(done), done)
    case .changeKey(let group): try onGroup(group, done) { .changeKey(by: $0) }
    case .removeUser(let user, let group):
      try onGroup(group, done) { .removeUser(user, by: $0) }
    case .leaveGroup: try leaveGroup(seat(done), done)
    case .closeGroup(let group):
      if group == nil { try checkManagement(seat(done)) }
      try onGroup(group, done) { .close(by: $0) }
    case .setSharing(let isSharing): try onGroup(.setSharing(done.device, isSharing), done)
    case .setPreferredDevice(let preferred):
      try onGroup(.setPreferredDevice(preferred, by: done.device), done)
    case .updateObject(let object, let changes):
      try onGroup(.updateObject(object, set: changes, by: done.device), done)
    case .removeObject(let object):
      try onGroup(.removeObject(object, by: done.device), done)

    case .activate(let activation): try activate(activation, seat(done), isStaged: false, done)
    case .stage(let activation): try activate(activation, seat(done), isStaged: true, done)
    case .activateStaged(let session):
      try onOffered(
        session, .activate(by: rooms.destination(of: seat(done), turn.limits)), seat(done), done)
    case .withdraw(let session):
      try onOffered(session, .withdraw(by: seat(done).user), seat(done), done)
    case .join(let session, let handoff): try join(session, handoffFrom: handoff, seat(done), done)
    case .decline(let session): try decline(session, seat(done), done)
    case .answerInvitation(let session, let answer, let seq):
      try self.answer(answer, to: session, seq: seq, seat(done), done)

    case .leave(let session): try leave(session, done)
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
    case .attachment(let session, let request):
      try AttachmentLanes.handle(request, in: session, done, in: &self)
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
      try checkInvited(users, seat(done))
      try onSession(session, done) { .invite(users, lifetime: lifetime, by: $0) }
    case .revokeInvitations(let session, let users):
      try onSession(session, done) { .revokeInvitations(users, by: $0) }
    case .listMedia: try listMedia(seat(done), done)
    case .openMedia(let url): try openMedia(url, seat(done), done)
    case .status(let after): try report(to: seat(done), done.id, after: after)
    case .notifications(let request): try grant(request, seat(done), done)
    case .messaging, .renew, .pair, .confirmPairing, .freeName, .drain:
      preconditionFailure("Front hands these to People, or answers them")
    }
  }

  /// The seat of the device that asks.
  private func seat(_ reply: Reply) throws(ProtocolError) -> Seat {
    guard let seat = seats[reply.device] else { throw ProtocolError(.helloRequired) }
    return seat
  }

  private func check(_ payload: JSONText) throws(ProtocolError) {
    guard payload.text.utf8.count <= turn.limits.messageBytes else {
      throw ProtocolError(.invalidField, field: "payload", limit: turn.limits.messageBytes)
    }
  }

  /// Adds the seed to a shuffle, and checks other commands.
  private mutating func queueCommand(_ command: QueueCommand) throws(ProtocolError) -> QueueCommand
  {
    if case .shuffle = command { return .shuffle(seed: turn.freshNumber()) }
    try check(command)
    return command
  }

  /// Dismisses the session's message.
  ///
  /// A device that no longer takes part gets a success: the hosting message disappears with the
  /// session, and the person may dismiss it before the client knows that the session ended.
  private mutating func dismiss(_ named: SessionID?, _ reply: Reply) throws(ProtocolError) {
    let current = seats[reply.device]?.session
    if let current, named ?? current == current {
      guard seats[reply.device]?.isSpectator != true else { return try leave(named, reply) }
      return try onSession(named, reply) { .dismiss($0) }
    }
    if let named, rooms.sessions[named] == nil, rooms.ending(of: named) == nil {
      throw ProtocolError(.unknownSession)
    }
    turn.finish(reply)
  }

  private mutating func playback(
    _ command: PlaybackCommand, in session: SessionID?, _ done: Reply
  ) throws(ProtocolError) {
    guard let participant = seats[done.device]?.participant else {
      throw rooms.notJoined(session)
    }
    try check(command)
    let wanted: Reply.Wanted =
      switch command {
      case .suspend(let reason): .suspended(participant, reason)
      case .endSuspension(_, let position):
        .suspensionEnded(participant, isProposing: position != nil)
      case .transition, .play, .pause, .seek, .setRate, .ready, .reportEnd: .done
      }
    try onSession(session, done.wanting(wanted)) { .playback(command, by: $0) }
  }
}

// MARK: Finding the aggregate

extension Groups {
  mutating func onGroup(_ command: GroupCommand, _ reply: Reply) throws(ProtocolError) {
    guard let seat = seats[reply.device], let group = seat.group, !seat.isVisitor else {
      throw ProtocolError(.notInGroup)
    }
    let cost = try takeCost(of: command, in: group, by: seat)
    perform(GroupWork(command: .command(command), reply: reply, cost: cost), on: group)
  }

  /// Performs a device's command on its own group, or an administrator's on the named one.
  ///
  /// - Parameter command: makes the command of a device; of an administrator without one.
  private mutating func onGroup(
    _ named: GroupID?, _ reply: Reply, _ command: (DeviceID?) -> GroupCommand
  ) throws(ProtocolError) {
    guard let named else { return try onGroup(command(reply.device), reply) }
    guard rooms.groups[named] != nil else { throw ProtocolError(.unknownGroup) }
    perform(GroupWork(command: .command(command(nil)), reply: reply), on: named)
  }

  /// Performs a command of a device that is in the group but need not take part.
  mutating func onOffered(
    _ id: SessionID, _ command: SessionCommand, _ seat: Seat, _ reply: Reply
  ) throws(ProtocolError) {
    try rooms.checkMembership(of: id, seat)
    perform(SessionWork(command: .command(command), reply: reply), on: id)
  }

  mutating func onSession(
    _ named: SessionID?, _ reply: Reply, _ command: (ParticipantID) -> SessionCommand
  ) throws(ProtocolError) {
    guard let session = seats[reply.device]?.session,
      let participant = seats[reply.device]?.participant, named ?? session == session
    else { throw rooms.notJoined(named) }
    guard seats[reply.device]?.isSpectator != true else {
      throw ProtocolError(.notJoined, reason: "audience")
    }
    let command = command(participant)
    let cost = try takeCost(
      ofPassing: command.passedBytes, storing: command.storedBytes, isForAll: command.isForAll,
      by: reply.device, in: session)
    perform(SessionWork(command: .command(command), reply: reply, cost: cost), on: session)
  }

  /// The session in which a device takes part, and as whom; `nil` while its joining is not stored.
  func participation(of device: DeviceID) -> (session: SessionID, participant: ParticipantID)? {
    guard let session = seats[device]?.session, let participant = seats[device]?.participant,
      rooms.sessions[session]?.session?.participants[participant] != nil
    else { return nil }
    return (session, participant)
  }
}

// MARK: Activation

extension Groups {
  /// Starts an activity with the group, or goes to the live session with the same activity.
  mutating func activate(
    _ activation: Activation, _ seat: Seat, isStaged: Bool, _ done: Reply
  ) throws(ProtocolError) {
    guard let groupID = seat.group, !seat.isVisitor, let aggregate = rooms.groups[groupID] else {
      throw ProtocolError(.notEligible, reason: Ineligibility.notInGroup.rawValue)
    }
    try check(activation.activity)
    try checkManagement(seat)
    if let live = aggregate.group?.session,
      rejoin(live, of: seat, activation.activity, isStaged: isStaged, done)
    {
      return
    }
    let initiator = rooms.destination(of: seat, turn.limits)
    // If another device will take part, this one must still be allowed to start activities.
    if initiator.device != seat.device, let obstacle = rooms.obstacle(for: seat) {
      throw ProtocolError(.notEligible, reason: obstacle.rawValue)
    }
    let id = SessionID(turn.mintText(prefix: "s"))
    let beginning = SessionBeginning(
      group: groupID, activity: activation.activity, initiator: initiator,
      isStaged: isStaged, control: activation.control, waitingPolicy: activation.waitingPolicy,
      dismissalPolicy: activation.dismissalPolicy ?? dismissalPolicy,
      initialTiming: activation.initialTiming, oneDevicePerUser: activation.oneDevicePerUser,
      hasAudience: activation.hasAudience,
      joinBy: turn.now + turn.limits.offerDeadline)
    let reply = done.wanting(
      .activated(isNew: true, willDeliver: initiator.device == seat.device))
    let cost = try takeCost(ofStarting: activation.activity, by: seat, in: groupID)
    perform(
      GroupWork(
        command: .start(id, beginning, replacing: activation.ifBusy == .replace), reply: reply,
        cost: cost),
      on: groupID)
  }

  /// Checks that a device may start sessions in its group and close it.
  private func checkManagement(_ seat: Seat) throws(ProtocolError) {
    guard let group = seat.group, isManaged(group), !seat.identity.isKeeper else { return }
    throw ProtocolError(.forbidden, reason: "managed")
  }

  /// Sends an activation of the live session's own activity to that session.
  ///
  /// - Returns: whether the live session has the same activity.
  mutating func rejoin(
    _ live: SessionID, of seat: Seat, _ activity: GroupActivity, isStaged: Bool, _ reply: Reply
  ) -> Bool {
    guard let aggregate = rooms.sessions[live], aggregate.activity?.isSame(as: activity) == true
    else {
      return false
    }
    if let obstacle = rooms.obstacle(for: seat) {
      turn.refuse(reply, ProtocolError(.notEligible, reason: obstacle.rawValue))
    } else if aggregate.session?.banned.contains(seat.identity) == true {
      turn.refuse(reply, ProtocolError(.banned))
    } else {
      seats[seat.device]?.forgetDeparture()
      let initiator = rooms.destination(of: seat, turn.limits)
      let reply = reply.wanting(
        .activated(isNew: false, willDeliver: initiator.device == seat.device))
      perform(
        SessionWork(
          command: isStaged ? .checkLive : .command(.activate(by: initiator)), reply: reply),
        on: live)
    }
    return true
  }
}

// Checks of media; the domain defines what is wrong.

extension Groups {
  func check(_ activity: GroupActivity) throws(ProtocolError) {
    guard let flaw = activity.flaw(turn.limits) else { return }
    throw ProtocolError(
      .invalidActivity, flaw.message, field: "activity.\(flaw.field)", limit: flaw.limit)
  }

  func check(_ command: QueueCommand) throws(ProtocolError) {
    guard let flaw = command.flaw(turn.limits) else { return }
    throw ProtocolError(.invalidField, flaw.message, field: flaw.field)
  }

  func check(_ command: PlaybackCommand) throws(ProtocolError) {
    guard let flaw = command.flaw(turn.limits) else { return }
    throw ProtocolError(.invalidField, flaw.message, field: flaw.field)
  }
}

// MARK: Status

extension Groups {
  /// Reports the state of the device's group or, for a device in no group, of the whole server.
  ///
  /// What has room is judged by counted bytes, and the person's allowance is asked before anything
  /// is counted or encoded, so that neither an answer nor a refusal is for nothing.
  mutating func report(to seat: Seat, _ id: RequestID, after: GroupID?) throws(ProtocolError) {
    let chosen: [Group]
    if let id = seat.group {
      // The opening of a group that the device founds may not be stored yet.
      chosen = rooms.groups[id]?.group.map { [$0] } ?? []
    } else {
      try take(Cost.weighing(rooms.groups.count), from: seat)
      let behind = rooms.groups.compactMapValues(\.group).values.filter { group in
        after.map { $0 < group.id } ?? true
      }
      chosen = behind.sorted { $0.id < $1.id }
    }
    var report = StatusReport(at: turn.now, peers: 0, groups: [], sessions: [], places: [])
    var bytes = 0
    for group in chosen {
      try take(Cost.weighing(group.members.count), from: seat)
      let (part, partBytes) = rooms.report(
        of: group, audience: group.session.flatMap(onlookers.size), at: turn.now, turn.limits)
      bytes += partBytes
      let isFull =
        report.groups.count >= turn.limits.statusGroups || bytes > turn.limits.statusBytes
      // Each report contains at least one group, so that paging always ends.
      guard report.groups.isEmpty || !isFull else {
        report.hasMore = true
        break
      }
      report.append(part)
    }
    try take(Cost.answering(bytes), from: seat)
    report.usage = [.init("groups", used: rooms.groups.count, most: turn.limits.groups)]
    turn.say(.front(.tellStatus(id, report, seat.device)))
  }
}

// MARK: Media

extension Groups {
  /// Tells a member where the list of all media is.
  mutating func listMedia(_ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard seat.group != nil else { throw ProtocolError(.notInGroup) }
    let scope = MediaScope.until(turn.now + turn.limits.mediaListTime)
    turn.send(
      .answer(done.id, try media.answer(of: MediaSigner.root, in: scope)), to: done.device)
  }

  /// Tells a participant or a spectator where a media is; the list of all is ``listMedia(_:_:)``'s.
  mutating func openMedia(_ url: String, _ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard
      let session = seat.isSpectator ? seat.session : participation(of: seat.device)?.session
    else { throw ProtocolError(.notJoined) }
    guard url != MediaSigner.root else { throw ProtocolError(.invalidField, field: "url") }
    let scope = MediaScope.session(session, of: seat.user)
    turn.send(.answer(done.id, try media.answer(of: url, in: scope)), to: done.device)
  }
}
