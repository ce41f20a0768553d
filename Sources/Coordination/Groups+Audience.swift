import GroupSessions
import Playback
import Vocabulary
import Wire

// The audiences of sessions. A spectator watches a session without a named place; a visitor is in a
// group only for that, when its members have taken the named places. They pass the same doors as
// everybody, and get every number. But nothing of them is an event, and nothing is stored: after a
// restart they come anew.

extension Groups {
  /// Whether somebody who enters a group becomes a visitor: its live session has an audience, and
  /// its members have taken the places that are kept for nobody.
  func isForVisitors(_ id: GroupID, _ seat: Seat) -> Bool {
    guard seat.understandsAudiences, let group = groups[id]?.group,
      group.members[seat.device] == nil, group.members.count >= turn.limits.namedPlaces,
      let session = group.session.flatMap({ sessions[$0]?.session }), session.hasAudience
    else { return false }
    return !session.isExpected(seat.identity, at: turn.now)
  }

  /// Checks what somebody shows at a group's door, as a visitor or as a member.
  func checkDoor(of group: Group, _ seat: Seat, _ pass: Pass) throws(ProtocolError) {
    guard isForVisitors(group.id, seat) else { return try check(seat.member, group, pass) }
    do throws(GroupRejection) {
      try group.checkVisitor(seat.user, with: pass)
    } catch { throw ProtocolError(error) }
  }

  /// Lets a visitor in: sends it the group's state, and every event from then on.
  mutating func visit(_ group: Group, _ seat: Seat, _ reply: Reply) throws(ProtocolError) {
    try take(Cost.answering(group.byteBound), from: seat)
    groups.change(group.id) { _ = $0?.visitors.change(orIn: []) { $0.insert(seat.device) } }
    seats[seat.device]?.group = group.id
    seats[seat.device]?.isVisitor = true
    sayPlace(of: seat.device)
    turn.tell(reply.recorded(.answered(.done(seq: group.seq))))
    tellGroup(group, to: seat.device)
    tellEligibility(of: seat.device)
  }

  /// Sends a device its group's state and key, and every event from then on.
  mutating func tellGroup(_ group: Group, to device: DeviceID) {
    followGroup(group.id, by: device)
    turn.send(.group(group), to: device)
    if let key = access.keyMessage(of: group) { turn.send(key, to: device) }
  }

  /// Makes a visitor a member, because a named place is kept for them now; the request waits until
  /// that is stored.
  ///
  /// - Parameter command: what the session is asked then; if it would refuse, the visitor stays one.
  mutating func admitVisitor(
    _ seat: Seat, to session: GroupSession, for command: (Joiner) -> SessionCommand,
    before request: Request, _ reply: Reply
  ) throws(ProtocolError) {
    guard let id = seat.group, let entry = groups[id]?.group.map(\.entry) else {
      throw ProtocolError(.notInGroup)
    }
    do throws(SessionRejection) {
      let joiner = Joiner(id: ParticipantID(seat.device.text), identity: seat.identity)
      _ = try session.decide(
        command(joiner), at: turn.now, under: PlaybackConditions(limits: turn.limits))
    } catch {
      if case .full = error { return try spectate(session.id, seat, reply) }
      throw ProtocolError(error)
    }
    try deferUntilJoined(request, reply)
    // The visitor has shown the key at the door.
    let pass = entry.map { Pass.key(generation: $0.generation) } ?? .free
    perform(GroupWork(command: .command(.join(seat.member, with: pass))), on: id)
  }

  /// Notes that a visitor is a member now.
  mutating func endVisitAsMember(_ device: DeviceID, of id: GroupID) {
    guard seats[device]?.isVisitor == true else { return }
    absentVisitors.remove(device)
    groups.change(id) { _ = $0?.visitors.change(orIn: []) { $0.remove(device) } }
    seats[device]?.isVisitor = false
  }

  /// Ends a visit, and what the visitor watches.
  mutating func endVisit(of device: DeviceID) {
    guard let seat = seats[device], seat.isVisitor, let id = seat.group else { return }
    absentVisitors.remove(device)
    turnOut(device)
    if !seat.deferred.isEmpty {
      // It was about to become a member.
      refuseDeferred(of: device, ProtocolError(.notInGroup))
      perform(GroupWork(command: .command(.leave(device))), on: id)
    }
    groups.change(id) { _ = $0?.visitors.change(orIn: []) { $0.remove(device) } }
    withdrawOffer(from: device, .notEligible)
    seats[device]?.leaveGroup()
    turn.say(.front(.unfollow(.group(id), device)))
    tellEligibility(of: device)
    sayPlace(of: device)
  }

  /// Ends all visits of a group that closes, or those of one person.
  mutating func endVisits(to id: GroupID, of user: UserID? = nil) {
    for device in (groups[id]?.visitors.value ?? []).sorted()
    where user == nil || seats[device]?.user == user {
      endVisit(of: device)
    }
  }

  /// Whether a visitor may be offered a session.
  func mayWatch(_ session: GroupSession, _ seat: Seat) -> Bool {
    !seat.isVisitor || session.hasAudience
  }

  // MARK: Spectators

  /// Whether somebody who joins a session finds no place and may be a spectator.
  func isForSpectators(_ session: GroupSession, _ seat: Seat) -> Bool {
    guard mayBeSpectator(of: session, seat), !isReplacing(session, seat) else { return false }
    do throws(SessionRejection) {
      try session.checkRoom(for: seat.identity, at: turn.now, turn.limits)
      return seat.isVisitor && !session.isExpected(seat.identity, at: turn.now)
    } catch { return true }
  }

  private func mayBeSpectator(of session: GroupSession, _ seat: Seat) -> Bool {
    session.hasAudience && seat.understandsAudiences
      && session.participant(on: seat.device) == nil
      && (seat.isVisitor || obstacle(for: seat) == nil)
  }

  /// Whether the person takes part on another device, which this one replaces.
  private func isReplacing(_ session: GroupSession, _ seat: Seat) -> Bool {
    session.oneDevicePerUser
      && session.participants.firstValue { $0.user == seat.user } != nil
  }

  /// Lets a spectator in: sends it the session's state, and every event from then on.
  ///
  /// - Parameter participant: an identifier that was made for the join; many joins may find no place
  ///   at once, for which the random numbers at hand would not suffice.
  mutating func spectate(
    _ id: SessionID, _ seat: Seat, _ reply: Reply, as participant: ParticipantID? = nil
  ) throws(ProtocolError) {
    guard let session = sessions[id]?.session else { throw unknownSession(id) }
    do throws(SessionRejection) {
      try session.checkSpectator(seat.identity)
    } catch { throw ProtocolError(error) }
    try take(Cost.answering(session.size.total), from: seat)
    takeSeatInAudience(of: id, seat, as: participant)
    guard let participant = seats[seat.device]?.participant else { return }
    turn.tell(reply.recorded(.answered(.joined(id, participant))))
    welcomeSpectator(seat.device, to: session, as: participant)
  }

  /// Seats a spectator, with a participant of which the session knows nothing.
  private mutating func takeSeatInAudience(
    of id: SessionID, _ seat: Seat, as participant: ParticipantID? = nil
  ) {
    if !seat.isSpectator || seat.participant == nil {
      seats[seat.device]?.participant =
        participant ?? ParticipantID(turn.mintText(prefix: "p"))
    }
    seats[seat.device]?.session = id
    seats[seat.device]?.isSpectator = true
    seats[seat.device]?.offered = nil
    seats[seat.device]?.departure = nil
    sayPlace(of: seat.device)
    countSpectator(seat.device, in: id, isHere: true)
  }

  private mutating func welcomeSpectator(
    _ device: DeviceID, to session: GroupSession, as participant: ParticipantID
  ) {
    let snapshot = SessionSnapshot(session: session, participant: participant, at: turn.now)
    turn.send(.snapshot(snapshot), to: device)
    tellAudience(of: session, to: device)
    followSession(session.id, by: device)
  }

  /// Seats a device again that watched before a restart, of which nothing was stored.
  ///
  /// - Returns: whether it is a spectator again.
  mutating func resumeWatching(_ id: SessionID, _ device: DeviceID) -> Bool {
    guard let seat = seats[device], seat.session == nil, seat.departure?.session != id,
      let session = sessions[id]?.session, seat.group == session.group,
      mayBeSpectator(of: session, seat), !session.banned.contains(seat.identity),
      session.state == .open
    else { return false }
    takeSeatInAudience(of: id, seat)
    guard let participant = seats[device]?.participant else { return false }
    welcomeSpectator(device, to: session, as: participant)
    return true
  }

  /// Ends what a spectator watches.
  ///
  /// - Parameter reason: why; the session is not offered again on its own then.
  private mutating func leaveAudience(_ device: DeviceID, _ reason: LeaveReason? = nil) {
    guard let id = seats[device]?.session, vacate(device) else { return }
    if let reason { seats[device]?.departure = .from(id, reason) }
    sayPlace(of: device)
  }

  /// Leaves a session as the spectator asks.
  mutating func leaveAudience(_ device: DeviceID, _ reply: Reply) {
    if let id = seats[device]?.session,
      let joining = sessions[id]?.lane.firstPending(where: { $0.joiner?.device == device })?.joiner
    {
      // It had asked for a named place before.
      perform(.leave(joining.id), on: id)
    }
    leaveAudience(device, .left)
    turn.tell(reply.recorded(.answered(.done(seq: nil))))
  }

  /// Takes a spectator out of its session because it is out of the group, and tells it so: of a
  /// spectator there is no event.
  mutating func turnOut(_ device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    let isClosed = seat.group.flatMap { groups[$0]?.group?.isClosed } == true
    turn.send(isClosed ? .sessionOver(id, .groupClosed) : .sessionLeft(id, .left), to: device)
    vacate(device)
  }

  /// Takes a spectator out of its session; whoever asks for it says where the device is then.
  ///
  /// - Returns: whether it was a spectator.
  @discardableResult
  mutating func vacate(_ device: DeviceID) -> Bool {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return false }
    countSpectator(device, in: id, isHere: false)
    seats[device]?.leaveSession()
    turn.say(.front(.unfollow(.session(id), device)))
    turn.say(.people(.sessionOver(id, of: seat.user, on: device)))
    return true
  }

  /// Notes that a spectator has found a named place.
  mutating func promote(_ device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    countSpectator(device, in: id, isHere: false)
    seats[device]?.isSpectator = false
  }

  /// Ends what everybody watches in the audience of a session that is over.
  mutating func dissolveAudience(of id: SessionID) {
    for device in (sessions[id]?.spectators.value?.devices ?? []).sorted() {
      leaveAudience(device)
    }
    turn.disarm(.audience(id))
  }

  /// Removes the spectators whom a session has banned.
  mutating func removeBanned(from id: SessionID, _ reason: LeaveReason) {
    guard let session = sessions[id]?.session else { return }
    for device in (sessions[id]?.spectators.value?.devices ?? []).sorted() {
      guard let seat = seats[device], session.banned.contains(seat.identity) else { continue }
      turn.send(.sessionLeft(id, reason), to: device)
      leaveAudience(device, reason)
    }
  }

  // MARK: Connections

  /// Handles the loss of a spectator's or a visitor's connection.
  mutating func loseFromAudience(_ seat: Seat) {
    if seat.isSpectator, let id = seat.session {
      countSpectator(seat.device, in: id, isHere: false)
    }
    guard seat.isVisitor else { return }
    absentVisitors.add(seat.device, until: turn.now + turn.limits.resumeGrace)
    turn.arm(.visitors, at: absentVisitors.nextEnd)
  }

  /// Ends what a spectator watches whose session has ended, or banned it, while it was away.
  mutating func endWatchingMeanwhile(by device: DeviceID) {
    guard let seat = seats[device], seat.isSpectator, let id = seat.session else { return }
    if sessions[id]?.session?.banned.contains(seat.identity) ?? true { leaveAudience(device) }
  }

  /// Counts a spectator again that came back in time.
  mutating func returnToAudience(_ device: DeviceID, of id: SessionID) {
    countSpectator(device, in: id, isHere: true)
  }

  /// Ends the visits of those who have not come back in time.
  mutating func endOverdueVisits() {
    for device in absentVisitors.popOverdue(at: turn.now) { endVisit(of: device) }
    turn.arm(.visitors, at: absentVisitors.nextEnd)
  }

  // MARK: Size

  /// The connected spectators of all sessions.
  var spectatorCount: Int {
    sessions.keys.reduce(0) { $0 + (sessions[$1]?.spectators.value?.size.count ?? 0) }
  }

  private mutating func countSpectator(_ device: DeviceID, in id: SessionID, isHere: Bool) {
    sessions.change(id) { room in
      room?.spectators.change(orIn: Spectators()) {
        isHere ? $0.insert(device) : $0.remove(device)
      }
    }
    armAudience(of: id)
  }

  /// Notes how far a spectator's player is from the group's position.
  mutating func noteSpectator(_ device: DeviceID, _ offset: Duration, in id: SessionID) {
    sessions.change(id) { [limits = turn.limits] room in
      room?.spectators.change(orIn: Spectators()) { $0.note(offset, of: device, limits) }
    }
    armAudience(of: id)
  }

  /// Arms the next message about the size, unless it is armed.
  private mutating func armAudience(of id: SessionID) {
    guard let spectators = sessions[id]?.spectators.value, spectators.size != spectators.told
    else { return }
    turn.arm(.audience(id), at: turn.now + turn.limits.audienceInterval)
  }

  /// Tells everybody how large the audience is, if that has changed.
  mutating func tellAudience(of id: SessionID) {
    turn.disarm(.audience(id))
    let news = sessions.change(id) { room in
      room?.spectators.change(orIn: Spectators()) { $0.takeNews() } ?? nil
    }
    guard let size = news ?? nil else { return }
    turn.say(.front(.publish(.audience(id, size), on: .session(id))))
  }

  /// Tells a device that comes how large the audience is, as everybody was told last.
  mutating func tellAudience(of session: GroupSession, to device: DeviceID) {
    guard session.hasAudience else { return }
    let told = sessions[session.id]?.spectators.value?.told ?? AudienceSize()
    turn.send(.audience(session.id, told), to: device)
  }
}
