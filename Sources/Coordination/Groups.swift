import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

/// The groups and their sessions: who is in them, what is offered to whom, and what goes on.
struct Groups: LaneOwner {
  enum Subject: Hashable, Sendable {
    case group(GroupID)
    case session(SessionID)
  }

  var turn: Turn<Subject>
  /// What a dismissal does to sessions whose initiator did not say.
  let dismissalPolicy: DismissalPolicy
  let notifications: NotificationSettings
  var groups = PagedTable<GroupID, GroupRoom>()
  var sessions = PagedTable<SessionID, SessionRoom>()
  var seats = PagedTable<DeviceID, Seat>()
  var tombstones = Tombstones()
  var reach = Reach()
  private var isStopping = false

  init(
    limits: Limits, dismissalPolicy: DismissalPolicy, notifications: NotificationSettings
  ) {
    turn = Turn(limits: limits)
    self.dismissalPolicy = dismissalPolicy
    self.notifications = notifications
  }

  /// The groups, by their names, whose live session a person began.
  func groups(ofSessionsBegunBy user: UserID) -> [GroupID] {
    sessions.keys.compactMap { sessions[$0]?.session }
      .filter { $0.initiator.user == user }.map(\.group).sorted()
  }

  // MARK: Words

  mutating func hear(_ word: GroupsWord) {
    switch word {
    case .attach(let attachment): attach(attachment)
    case .detach(let device): detach(device)
    case .command(let request, let reply): begin(request, reply)
    case .answer(let claim, let answer, let bearer): self.answer(claim, answer, bearer)
    case .report(let report, let device): note(report, from: device)
    case .relay(let message, let device): relay(message, from: device)
    case .delay(let delay, let device): note(delay, of: device)
    case .stop: stop()
    case .reachable(let user, let isReachable): reach.set(user, isReachable)
    case .subscribed(.topic(let topic), let user, let isSubscribed):
      reach.set(user, of: topic, isSubscribed)
    case .subscribed(.object(let object), let user, let isSubscribed):
      isSubscribed ? follow(object, by: user) : forget(object, by: user)
    case .notifications(let request, let reply): grant(request, reply)
    case .replied(let response, let id, let user): passOn(response, to: id, by: user)
    case .invitationAnswered(let name, let answer, let request, let reply):
      self.answer(answer, to: name, else: request, reply)
    case .review(let invitations, let sessions, let deliveries, let user):
      review(invitations, sessions, deliveries, of: user)
    case .reinvite(let user): postPendingInvitations(to: user)
    }
  }

  mutating func advanceClock() {
    while let subject = turn.popDue() {
      switch subject {
      case .group(let id): wake(id, GroupLanes.self)
      case .session(let id): wake(id, SessionLanes.self)
      }
    }
  }

  private mutating func stop() {
    isStopping = true
    for id in sessions.keys.sorted() { perform(.terminate(.serverShutdown), on: id) }
    sayIfDrained()
  }

  /// Nobody waits for a session to end any more.
  mutating func sayIfDrained() {
    if isStopping, sessions.isEmpty { turn.say(.front(.drained)) }
  }
}

// MARK: Devices

extension Groups {
  private mutating func attach(_ attachment: Attachment) {
    let id = attachment.identity.device
    guard let resumption = attachment.resumption else {
      if let old = seats[id] { forsake(old) }
      seats[id] = Seat(attachment, isConnected: true)
      return tellEligibility(of: id, isForced: true)
    }
    var seat = seats[id] ?? Seat(attachment, isConnected: true)
    seat.isConnected = true
    seats[id] = seat
    if let group = seat.group {
      if let value = groups[group]?.group, value.members[id] != nil {
        followGroup(group, by: id)
        turn.send(.group(value), to: id)
      }
      perform(GroupWork(command: .command(.resume(id))), on: group)
    } else {
      tellEligibility(of: id, isForced: true)
    }
    resumeSession(of: seat, resumption)
  }

  /// A client that starts anew gives up what it was.
  private mutating func forsake(_ seat: Seat) {
    if let session = seat.session, let participant = seat.participant {
      perform(.leave(participant), on: session)
    }
    if let group = seat.group {
      perform(GroupWork(command: .command(.leave(seat.device))), on: group)
    }
  }

  private mutating func detach(_ id: DeviceID) {
    guard let seat = seats[id] else { return }
    seats[id]?.disconnect()
    if let session = seat.session, let participant = seat.participant {
      perform(.lose(participant), on: session)
    }
    if let group = seat.group {
      perform(GroupWork(command: .command(.lose(id))), on: group)
    } else {
      seats[id] = nil
    }
  }

  /// Says where a device is by now; one without a group and a connection has no seat.
  mutating func sayPlace(of id: DeviceID) {
    guard let seat = seats[id] else { return }
    turn.say(.front(.placed(id, seat.place)))
    if seat.group == nil, !seat.isConnected { seats[id] = nil }
  }

  mutating func followGroup(_ group: GroupID, by id: DeviceID) {
    seats[id]?.followsGroup = true
    turn.say(.front(.follow(.group(group), id)))
  }

  mutating func followSession(_ session: SessionID, by id: DeviceID) {
    seats[id]?.followsSession = true
    turn.say(.front(.follow(.session(session), id)))
  }

  private mutating func resumeSession(of seat: Seat, _ resumption: Resumption) {
    guard let id = seat.session, let participant = seat.participant,
      let session = sessions[id]?.session
    else {
      if let lost = resumption.session { tellFate(of: lost, to: seat) }
      return
    }
    defer { perform(.resume(participant), on: id) }
    // One who is still joining gets its snapshot with the answer.
    guard session.participants[participant] != nil else { return }
    if resumption.session == id, let seq = resumption.seq,
      let missed = sessions[id]?.tail.events(after: seq, upTo: session.seq),
      // A stay that began behind its back begins with a snapshot, like any other.
      !missed.contains(where: { $0.entry.event.isArrival(of: participant) })
    {
      for (seq, entry) in missed {
        turn.send(entry.message(of: id, seq: seq, for: participant), to: seat.device)
      }
    } else {
      let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
      turn.send(.snapshot(snapshot), to: seat.device)
    }
    followSession(id, by: seat.device)
  }

  /// Nobody is left waiting for a session that it is no longer in.
  private mutating func tellFate(of session: SessionID, to seat: Seat) {
    let message: ServerMessage
    if let reason = tombstones[session] {
      message = .sessionOver(session, reason)
    } else if case .from(session, let reason)? = seat.departure {
      message = .sessionLeft(session, reason)
    } else if let group = sessions[session]?.session?.group, group == seat.group {
      // It left so long before a crash that nobody knows why any more.
      message = .sessionLeft(session, .connectionLost)
    } else {
      message = .error(nil, ProtocolError(.unknownSession, session: session))
    }
    turn.send(message, to: seat.device)
  }
}

extension EventTail.Entry {
  /// The event as one participant is sent it.
  fileprivate func message(of session: SessionID, seq: Int, for participant: ParticipantID)
    -> ServerMessage
  {
    if case .messageSent(_, let recipients, let source) = event, source != participant,
      !recipients.contains(participant, from: source)
    {
      return .withheld(session, seq: seq)
    }
    return .event(session, seq: seq, at: at, event)
  }
}

// MARK: Recovery

extension Groups {
  /// Takes in what was kept, before the first peer comes.
  ///
  /// Everyone is away, with the grace of those who lost their connection: the server was.
  mutating func restore(_ recovery: Recovery, _ attachments: [Attachment]) {
    for ending in recovery.endings {
      tombstones.add(ending.session, ending.reason, limit: turn.limits.tombstones)
    }
    seats.reserve(attachments.count)
    groups.reserve(recovery.groups.count)
    sessions.reserve(recovery.sessions.count)
    for attachment in attachments {
      seats[attachment.identity.device] = Seat(attachment, isConnected: false)
    }
    for group in recovery.groups { restore(group) }
    for session in recovery.sessions { restore(session) }
    for attachment in attachments.sorted(by: { $0.identity.device < $1.identity.device }) {
      sayPlace(of: attachment.identity.device)
    }
  }

  private mutating func restore(_ group: Group) {
    groups[group.id] = GroupRoom(lane: Lane(GroupAggregate(group)))
    for device in group.members.keys { Self.put(&seats[device], into: group) }
  }

  // Functions, so that a seat is looked for once.

  private static func put(_ seat: inout Seat?, into group: Group) {
    seat?.group = group.id
    seat?.eligibility = .ineligible(.notConnected)
  }

  private static func put(
    _ seat: inout Seat?, into session: GroupSession, as participant: ParticipantID
  ) {
    // One that started anew as something less could not keep that it left.
    guard seat?.group == session.group, seat?.understandsSessions == true else { return }
    seat?.session = session.id
    seat?.participant = participant
  }

  private mutating func restore(_ recovered: Recovery.RecoveredSession) {
    let session = recovered.session
    var room = SessionRoom(SessionAggregate(session))
    room.tail = EventTail(recovered.known, upTo: session.seq, limits: turn.limits)
    sessions[session.id] = room
    // Those who come back are told what became of them, and not offered it again.
    for (device, reason) in recovered.departures where seats[device]?.group == session.group {
      seats[device]?.departure = .from(session.id, reason)
    }
    for participant in session.participants.values {
      Self.put(&seats[participant.device], into: session, as: participant.id)
    }
  }

  /// Makes good what could not be done before the server died.
  mutating func resume() {
    for id in sessions.keys.sorted() {
      perform(.interrupt, on: id)
      endIfUnknown(id)
      reconcile(id, isInterrupted: true)
      arm(id, SessionLanes.self)
      SessionLanes.buryIfOver(id, in: &self)
    }
    for id in groups.keys.sorted() {
      perform(GroupWork(command: .command(.interrupt)), on: id)
      reconcile(id, isInterrupted: true)
      arm(id, GroupLanes.self)
      GroupLanes.buryIfOver(id, in: &self)
    }
  }

  /// A group takes a session as its live one before that begins: one that its group knows nothing of
  /// lost its end, or its group's stream lost what came of it, to damage.
  private mutating func endIfUnknown(_ id: SessionID) {
    guard let session = sessions[id]?.session, let group = groups[session.group]?.group,
      group.session == nil
    else { return }
    perform(.terminate(.serverShutdown), on: id)
  }

  /// Posts again what trays may lack, when these are here: who is invited, and how things are.
  mutating func retell() {
    for id in sessions.keys.sorted() {
      guard let session = sessions[id]?.session else { continue }
      for invitation in session.invitations.values { post(invitation, of: session) }
      if sessions[id]?.told.isPresent == true { tellChanges(of: id, isRetold: true) }
    }
  }
}
