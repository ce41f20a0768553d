import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

/// The groups and their sessions: members, participants and offers.
struct Groups: LaneOwner {
  enum Subject: Hashable, Sendable {
    case group(GroupID)
    case session(SessionID)
    case attachment(AttachmentID)
    /// The size of a session's audience, which everybody is told.
    case audience(SessionID)
    /// The graces of absent visitors.
    case visitors
  }

  var turn: Turn<Subject>
  /// How people prove who they are, and with which keys they enter groups.
  let access: Access
  /// The dismissal policy of sessions whose initiator does not set one.
  let dismissalPolicy: DismissalPolicy
  let notifications: NotificationSettings
  var media: MediaAddresses
  /// Whether only the server's own peers start sessions in a group.
  private(set) var isManaged: @Sendable (GroupID) -> Bool = { _ in false }
  var rooms = Rooms()
  var attachments = AttachmentStore()
  var seats = PagedTable<DeviceID, Seat>()
  var onlookers = Onlookers()
  /// What people and groups made the server do lately.
  var costs: Costs
  var reach = Reach()
  var told = ToldObjects()
  /// How far players reported to be from their group's position.
  var apart = Histogram(bounds: Self.apartBounds)
  private var isStopping = false

  /// From what nobody sees over a frame to what is corrected by a seek.
  private static let apartBounds = [
    1, 2, 5, 10, 20, 40, 80, 150, 300, 600, 1_000, 2_000, 5_000,
  ].map(Duration.milliseconds)

  init(
    limits: Limits, access: Access, dismissalPolicy: DismissalPolicy,
    notifications: NotificationSettings, mediaSigner: MediaSigner?
  ) {
    media = MediaAddresses(mediaSigner)
    self.access = access
    turn = Turn(limits: limits)
    costs = Costs(limits)
    self.dismissalPolicy = dismissalPolicy
    self.notifications = notifications
  }

  /// Lets only the server's own peers start sessions in some more groups.
  mutating func manage(where isManaged: @escaping @Sendable (GroupID) -> Bool) {
    let others = self.isManaged
    self.isManaged = { others($0) || isManaged($0) }
  }

  // MARK: Words

  mutating func hear(_ word: GroupsWord) {
    switch word {
    case .attach(let attachment): attach(attachment)
    case .detach(let device): detach(device)
    case .expel(let device): expel(device)
    case .renewed(let identity, let groups): renew(identity, within: groups)
    case .command(let request, let reply): begin(request, reply)
    case .knock(let group, let key, let reply): knock(at: group, with: key, reply)
    case .answer(let claim, let answer, let bearer): self.answer(claim, answer, bearer)
    case .report(let report, let device): note(report, from: device)
    case .relay(let message, let device): relay(message, from: device)
    case .delay(let delay, let device): note(delay, of: device)
    case .stop: stop()
    case .reachable(let user, let isReachable): reach.set(user, isReachable)
    case .subscribed(let subscription, let user, let isSubscribed):
      isSubscribed ? subscribe(user, to: subscription) : unsubscribe(user, from: subscription)
    case .notifications(let request, let reply): begin(.notifications(request), reply)
    case .replied(let response, let id, let user): passOn(response, to: id, by: user)
    case .invitationAnswered(let name, let answer, let request, let reply):
      self.answer(answer, to: name, else: request, reply)
    case .review(let invitations, let subscriptions, let deliveries, let groups, let user):
      review(invitations, subscriptions, deliveries, within: groups, of: user)
    case .reinvite(let user): postPendingInvitations(to: user)
    case .reopen(let group, let reply): reopen(group, reply)
    }
  }

  mutating func advanceClock() {
    while let subject = turn.popDue() {
      switch subject {
      case .group(let id): wake(id, GroupLanes.self)
      case .session(let id): wake(id, SessionLanes.self)
      case .attachment(let id): wake(id, AttachmentLanes.self)
      case .audience(let id): tellAudience(of: id)
      case .visitors: endOverdueVisits()
      }
    }
  }

  private mutating func stop() {
    isStopping = true
    for id in rooms.sessions.keys.sorted() { perform(.terminate(.serverShutdown), on: id) }
    sayIfDrained()
  }

  /// Reports that no session is left while the server stops.
  mutating func sayIfDrained() {
    if isStopping, rooms.sessions.isEmpty { turn.say(.front(.drained)) }
  }
}

// MARK: Devices

extension Groups {
  private mutating func attach(_ attachment: Attachment) {
    let id = attachment.identity.device
    guard let resumption = attachment.resumption else {
      if let old = seats[id] { abandon(old) }
      seats[id] = Seat(attachment)
      return tellEligibility(of: id, isForced: true)
    }
    var seat = seats[id] ?? Seat(attachment)
    seat.connect(attachment)
    seats[id] = seat
    if let group = seat.group {
      if let value = rooms.groups[group]?.group, seat.isVisitor || value.members[id] != nil {
        tellGroup(value, to: id)
      }
      if seat.isVisitor {
        onlookers.welcomeBack(id)
        tellEligibility(of: id, isForced: true)
      } else {
        perform(GroupWork(command: .command(.resume(id))), on: group)
      }
    } else {
      tellEligibility(of: id, isForced: true)
    }
    endWatchingMeanwhile(by: id)
    resumeSession(of: seats[id] ?? seat, resumption)
    seats[id]?.endRecovery()
  }

  /// Removes a device that starts over from the session and group of its earlier life.
  private mutating func abandon(_ seat: Seat) {
    guard !seat.isVisitor else { return endVisit(of: seat.device) }
    if seat.isSpectator {
      vacate(seat.device)
    } else if let session = seat.session, let participant = seat.participant {
      perform(.leave(participant), on: session)
    }
    if let group = seat.group {
      perform(GroupWork(command: .command(.leave(seat.device))), on: group)
    }
  }

  /// Notes what a device's newer credential says; the device leaves a group that it does not name.
  private mutating func renew(_ identity: Identity, within groups: GroupGrants?) {
    seats[identity.device]?.renew(identity, within: groups)
    guard let seat = seats[identity.device], let group = seat.group, !seat.mayEnter(group) else {
      return
    }
    expel(identity.device)
  }

  /// Removes a device whose credential no longer names its group.
  private mutating func expel(_ id: DeviceID) {
    guard let group = seats[id]?.group else { return }
    guard seats[id]?.isVisitor == false else { return endVisit(of: id) }
    // The seat remembers it, because the leaving may fail while nothing can be stored.
    seats[id]?.expel()
    perform(GroupWork(command: .command(.leave(id))), on: group)
  }

  private mutating func detach(_ id: DeviceID) {
    guard let seat = seats[id] else { return }
    seats[id]?.disconnect()
    loseFromAudience(seat)
    guard !seat.isVisitor else { return }
    if !seat.isSpectator, let session = seat.session, let participant = seat.participant {
      perform(.lose(participant), on: session)
    }
    if let group = seat.group {
      perform(GroupWork(command: .command(.lose(id))), on: group)
    } else {
      seats[id] = nil
    }
  }

  /// Tells ``Front`` a device's group and session; a disconnected device without a group loses its
  /// seat.
  mutating func sayPlace(of id: DeviceID) {
    guard let seat = seats[id] else { return }
    turn.say(.front(.placed(id, seat.place)))
    if seat.group == nil, !seat.isConnected { seats[id] = nil }
  }

  mutating func followGroup(_ group: GroupID, by id: DeviceID) {
    seats[id]?.followGroup()
    turn.say(.front(.follow(.group(group), id)))
  }

  mutating func followSession(_ session: SessionID, by id: DeviceID) {
    seats[id]?.followSession()
    turn.say(.front(.follow(.session(session), id)))
  }

  private mutating func resumeSession(of seat: Seat, _ resumption: Resumption) {
    guard let id = seat.session, let participant = seat.participant,
      let session = rooms.sessions[id]?.session
    else {
      guard let lost = resumption.session, !resumeWatching(lost, seat.device) else { return }
      return tellOutcome(of: lost, to: seat)
    }
    defer {
      if seat.isSpectator {
        returnToAudience(seat.device, of: id)
      } else {
        perform(.resume(participant), on: id)
      }
      if let session = rooms.sessions[id]?.session { tellAudience(of: session, to: seat.device) }
    }
    // A device whose join is still being stored gets its snapshot with the answer.
    guard seat.isSpectator || session.participants[participant] != nil else { return }
    if resumption.session == id, let seq = resumption.seq, !isAhead(seat, of: id, at: seq),
      let missed = rooms.sessions[id]?.tail.events(after: seq, upTo: session.seq),
      // While an append is in doubt, its return may wait for long, and then no event tells it so.
      !missed.isEmpty || rooms.sessions[id]?.lane.isInDoubt != true,
      // If the device's current stay began after `seq`, it needs a snapshot, as at any join.
      !missed.contains(where: { $0.entry.event.isArrival(of: participant) })
    {
      // Mostly its loss and its return are stored next, and the device receives those events.
      seats[seat.device]?.awaitState(missed.isEmpty)
      for (seq, entry) in missed {
        turn.send(entry.message(of: id, seq: seq, for: participant), to: seat.device)
      }
    } else {
      let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
      turn.send(.snapshot(snapshot), to: seat.device)
    }
    followSession(id, by: seat.device)
  }

  /// Whether a device has heard of events that the journal has lost, as a database does that fails
  /// over to a standby that lags: others have their numbers now.
  private func isAhead(_ seat: Seat, of session: SessionID, at seq: Int) -> Bool {
    seat.isRecovered && seq > rooms.sessions[session]?.tail.recoveredLast ?? 0
  }

  /// Tells a resuming device why it is no longer in the session that it names.
  private mutating func tellOutcome(of session: SessionID, to seat: Seat) {
    let message: ServerMessage
    if let reason = rooms.ending(of: session) {
      message = .sessionOver(session, reason)
    } else if case .from(session, let reason)? = seat.departure {
      message = .sessionLeft(session, reason)
    } else {
      // It left so long before a crash that the reason is not known any more, or the session could
      // not be read after one. Of another group's session it hears the same.
      message = .sessionLeft(session, .connectionLost)
    }
    turn.send(message, to: seat.device)
  }
}

// MARK: A journal

extension Groups {
  /// Restores the state from a journal, before the first connection.
  ///
  /// Every device counts as disconnected, with the usual grace period.
  mutating func restore(_ recovery: Recovery, _ devices: [Attachment]) {
    seats.reserve(devices.count)
    for device in devices {
      seats[device.identity.device] = Seat(device, isRecovered: true)
    }
    rooms.restore(recovery, turn.limits)
    for group in recovery.groups {
      for device in group.members.keys { seats.change(device) { $0?.restore(in: group.id) } }
    }
    for recovered in recovery.sessions { seatParticipants(of: recovered) }
    for state in recovery.attachments {
      guard let attachment = state.attachment, let session = state.session else { continue }
      attachments.add(attachment, of: session, state)
    }
    for device in devices.map(\.identity.device).sorted() {
      sayPlace(of: device)
    }
  }

  private mutating func seatParticipants(of recovered: Recovery.RecoveredSession) {
    let session = recovered.session
    // Devices that left are told the reason when they come back, and do not get the offer again.
    for (device, reason) in recovered.departures where seats[device]?.group == session.group {
      seats[device]?.depart(from: session.id, reason)
    }
    for participant in session.participants.values {
      seats.change(participant.device) { seat in
        // A device that started over with fewer features may still be a participant, because its
        // leaving was not stored.
        guard seat?.group == session.group, seat?.understandsSessions == true else { return }
        seat?.enter(session.id, as: participant.id)
      }
    }
  }

  /// Makes up for what the server could not do before it died.
  mutating func resume() {
    for id in rooms.sessions.keys.sorted() {
      perform(.interrupt, on: id)
      endIfUnknown(id)
      reconcile(id, isInterrupted: true)
      arm(id, SessionLanes.self)
      SessionLanes.removeIfOver(id, in: &self)
    }
    for id in attachments.lanes.keys.sorted() {
      AttachmentLanes.review(id, in: &self)
      AttachmentLanes.removeIfOver(id, in: &self)
    }
    for id in rooms.groups.keys.sorted() {
      perform(GroupWork(command: .command(.interrupt)), on: id)
      reconcile(id, isInterrupted: true)
      arm(id, GroupLanes.self)
      GroupLanes.removeIfOver(id, in: &self)
    }
  }

  /// Ends a session that its group does not know.
  ///
  /// A group stores a session as its live one before the session begins, so this happens only if
  /// damage lost the session's end or a part of the group's stream.
  private mutating func endIfUnknown(_ id: SessionID) {
    guard let session = rooms.sessions[id]?.session, let group = rooms.groups[session.group]?.group,
      group.session == nil
    else { return }
    perform(.terminate(.serverShutdown), on: id)
  }

  /// Posts again what trays may lack after a restart: pending invitations and changed session
  /// state.
  mutating func retell() {
    for id in rooms.sessions.keys.sorted() {
      guard let session = rooms.sessions[id]?.session else { continue }
      for invitation in session.invitations.values { post(invitation, of: session) }
      tellChanges(in: .session(id), isRetold: true)
    }
    for id in rooms.groups.keys.sorted() { tellChanges(in: .group(id), isRetold: true) }
  }
}

extension EventTail.Entry {
  /// The event as a participant receives it.
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
