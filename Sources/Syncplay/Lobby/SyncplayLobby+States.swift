import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients report of their players, and what they are told of their rooms.

extension SyncplayLobby {
  /// Handles a State; before the Hello it is ignored.
  mutating func receive(_ state: SyncplayClientState, from id: PeerID) {
    let now = roster.now
    let report = roster.peers.change(id) { peer in
      peer?.isGreeted == true ? peer?.hear(state, at: now) ?? nil : nil
    }
    guard let report, let place = state.place else { return }
    guard report.change != nil || place.isSeek else {
      return note(place.position, isPaused: report.isPaused, of: id)
    }
    judge(place, report, from: id, isOwn: state.clientIgnoring != nil)
  }

  private mutating func judge(
    _ place: SyncplayClientState.Place, _ report: SyncplayPeer.Report, from id: PeerID, isOwn: Bool
  ) {
    guard let peer = roster.peers[id], let room = roster.room(of: id) else { return }
    var change = report.change
    // The acknowledgement of a change may describe the player before the change; a change that the
    // user made carries a counter.
    if change != nil, report.isAnswer, !isOwn, !place.isSeek { change = nil }
    // A player without a file stays paused even if its client is told to play.
    if change != nil, !isOwn, !place.isSeek, peer.user?.file == nil, room.hasFiles {
      change = nil
    }
    guard change != nil || place.isSeek else {
      return note(place.position, isPaused: report.isPaused, of: id)
    }
    if let arrival = peer.arrival, !arrival.isOver(at: roster.now, hasFile: peer.user?.file != nil),
      !(isOwn && change == nil && arrival.isJump(place, at: roster.now)),
      !isWelcome(change, place, arrival, in: room)
    {
      return plan(.correction, for: id, at: roster.now)
    }
    guard roster.mayControl(id) else { return correct(id, place, isPaused: report.isPaused) }
    carryOut(place, change, by: id, in: room)
  }

  /// Whether a user who has just opened a file may start the paused room at its position.
  private func isWelcome(
    _ change: Bool?, _ place: SyncplayClientState.Place, _ arrival: Arrival, in room: SyncplayRoom
  ) -> Bool {
    change == false && !place.isSeek && arrival.hasArrived
      && room.offset(of: place.position, at: roster.now).magnitude < Arrival.tolerance
  }

  // MARK: Commands

  private mutating func carryOut(
    _ place: SyncplayClientState.Place, _ change: Bool?, by id: PeerID, in room: SyncplayRoom
  ) {
    guard let peer = roster.peers[id] else { return }
    if let change, !place.isSeek, isEnd(place.position, of: peer, in: room) {
      if change { return reportEnd(id, in: room) }
      // The room plays on already, in a longer copy.
      if !room.isPaused { return }
    }
    // A client rewinds the next film as it opens it, and its player may still be stopped from the
    // end of the last one; it may find the film when the others watch already.
    let isOpening = peer.user?.loading.lacksFile == true && place.position < Arrival.seekable
    if place.isSeek, isOpening || room.isAboutToPlay(from: place.position, at: roster.now) {
      return
    }
    roster.peers[id]?.drift.forget()
    let willRun = !(change ?? room.isPaused)
    // The user's player plays on while its State is on its way, and until the others can start.
    let way = Duration.microseconds(peer.oneWay)
    let isAtOnce = room.canStartAtOnce { device in
      roster.clientDirectory.peer(on: device).flatMap { roster.peers[$0]?.user?.hasLoaded } ?? false
    }
    let ahead = willRun ? (way + lead(of: room)).inSeconds * room.rate.factor : 0
    for command in room.commands(
      for: place, change, ahead: ahead, isAtOnce: isAtOnce, at: roster.now)
    {
      let number = roster.askSession(.playback(nil, command), as: id)
      roster.peers[id]?.membership.steer(by: number)
    }
  }

  /// How far ahead the coordinator sets a common start, computed from the round trips that it was
  /// told, not from newer measurements.
  private func lead(of room: SyncplayRoom) -> Duration {
    let slowest =
      room.members.compactMap { roster.peers[$0]?.membership.reportedTrip }.max() ?? .zero
    return PlaybackConditions(slowestDelay: slowest / 2, limits: roster.limits).lead
  }

  /// Whether a player stopped because its file ended, not because its user paused it.
  ///
  /// The group may hear of it when it has ended the item itself, and gets ready for the next one.
  private func isEnd(_ position: Double, of peer: SyncplayPeer, in room: SyncplayRoom) -> Bool {
    if case .paused? = room.timeline?.phase { return false }
    return peer.user?.file?.isEnd(position) == true
  }

  /// Reports the end of an item of unknown length; the item ends when most participants have
  /// reported it.
  private mutating func reportEnd(_ id: PeerID, in room: SyncplayRoom) {
    guard let timeline = room.timeline, timeline.duration == nil, !room.isPaused else { return }
    roster.askSession(.playback(nil, .reportEnd(room.item, seq: timeline.seq)), as: id)
  }

  /// Reverts a change by a user who may only watch: acknowledges it, and moves the client back.
  private mutating func correct(
    _ id: PeerID, _ place: SyncplayClientState.Place, isPaused: Bool
  ) {
    guard let room = roster.room(of: id), let name = roster.peers[id]?.user?.name else { return }
    sendState(
      to: id, .acknowledgement,
      SyncplayServerState(
        position: room.place(at: roster.now), isPaused: isPaused, setBy: name, stamp: 0))
    roster.peers[id]?.plan = nil
    sendState(to: id, .seek)
    planDistantStart(of: id)
  }

  // MARK: Positions of players

  /// Learns from a player's position, and moves the player if it is not at the group's position.
  private mutating func note(_ position: Double, isPaused: Bool, of id: PeerID) {
    guard let standing = roster.standing(ofRoomOf: id), isPaused == standing.isPaused else {
      return
    }
    let now = roster.now
    if roster.peers.change(id, { $0?.note(position, standing, at: now) }) == true {
      plan(.correction, for: id, at: now)
    }
  }
}

// MARK: Sending States

extension SyncplayLobby {
  /// Schedules a State beside the periodic ones; it replaces the one scheduled before.
  mutating func plan(
    _ purpose: SyncplayPeer.Plan.Purpose, for id: PeerID, at due: Instant, isLate: Bool = false
  ) {
    guard roster.peers[id]?.user != nil else { return }
    roster.peers[id]?.plan = SyncplayPeer.Plan(
      due: max(due, roster.now), purpose: purpose, isLate: isLate)
    arm(id)
  }

  /// Sends the States that are due to a peer.
  mutating func meetDeadlines(of id: PeerID) {
    if let plan = roster.peers[id]?.plan, plan.due <= roster.now { carryOut(plan, for: id) }
    guard let pulse = roster.peers[id]?.pulse, pulse <= roster.now else { return }
    beat(id)
  }

  private mutating func carryOut(_ plan: SyncplayPeer.Plan, for id: PeerID) {
    // A client that has just steered is told the outcome; the coordinator answers within a second.
    guard roster.peers[id]?.membership.steering == nil else {
      roster.peers[id]?.plan?.due = roster.now + Self.steeringCheck
      return
    }
    roster.peers[id]?.plan = nil
    sendState(to: id, plan.purpose)
    if plan.isLate {
      let due = roster.now + catchUp(in: roster.place(ofRoomOf: id))
      return self.plan(.correction, for: id, at: due)
    }
    planDistantStart(of: id)
  }

  /// Schedules a client's start again, if another State took its place in the schedule long before.
  private mutating func planDistantStart(of id: PeerID) {
    guard let start = roster.standing(ofRoomOf: id)?.distantStart(at: roster.now),
      let due = roster.peers[id]?.due(for: start), due > roster.now
    else { return }
    plan(.seek, for: id, at: due)
  }

  /// How long after a late start a player is moved.
  private func catchUp(in room: UInt32) -> Duration {
    guard let standing = roster.rooms[at: room]?.standing else { return Self.catchUp }
    let missing = Arrival.seekable - standing.place(at: roster.now + Self.catchUp)
    return Self.catchUp + .seconds(max(missing, 0) / standing.rate.factor)
  }

  /// How long after its start a player runs, and can be moved.
  ///
  /// Moving a running player takes a quarter of the time of moving one before it starts.
  private static let catchUp = Duration.milliseconds(150)

  private static let steeringCheck = Duration.milliseconds(20)

  /// Sends a peer its periodic State, and reports the peer to the coordinator.
  private mutating func beat(_ id: PeerID) {
    let room = roster.look(atRoomOf: id)
    let isStarting = room?.standing?.isPreparing == true && isStarting(roomOf: id)
    let now = roster.now
    let next = StateSchedule.next(after: now)
    let beat = roster.peers.change(id) { $0?.beat(isStarting: isStarting, next: next, at: now) }
    guard let beat else { return }
    guard beat != .silence else { return close(id, nil) }
    schedule.goOn(id, at: next)
    if beat.contains(.report) { report(id, isDue: beat.contains(.ping)) }
    if room?.hasKeeper == false { ensureKeeper(ofRoomOf: id) }
    if beat.contains(.join) {
      joinGroup(id)
      enterSession(id)
    }
    // A change that the client has not acknowledged is repeated.
    if !beat.contains(.spared) { sendState(to: id, nil, of: room) }
  }

  /// Whether a peer's room is about to start and no longer waits for anyone.
  private func isStarting(roomOf id: PeerID) -> Bool {
    guard let room = roster.room(of: id) else { return false }
    return !roster.isHeldUp(room)
  }

  /// Requests a keeper for a room that has none, once for all its clients.
  private mutating func ensureKeeper(ofRoomOf id: PeerID) {
    guard let room = roster.room(of: id), room.members.first == id else { return }
    wantKeeper(of: room)
  }

  /// Tells the coordinator a client's position and round trip if they are new.
  ///
  /// - Parameter isDue: whether to tell one of them even if it is not new.
  private mutating func report(_ id: PeerID, isDue: Bool) {
    if isDue { roster.peers.change(id) { $0?.membership.report(nil) } }
    let report = positionReport(of: id)
    let roundTrip = roster.peers.change(id) { $0?.takeNewTrip() }
    if roundTrip != nil || isDue && report == nil {
      let sent = HostTime(microseconds: roster.now.microseconds)
      roster.outputs.append(.tell(id, .ping(Ping(sent: sent, roundTrip: roundTrip))))
    }
    if let report { roster.outputs.append(.tell(id, .report(report))) }
  }

  private mutating func positionReport(of id: PeerID) -> PositionReport? {
    guard let standing = roster.standing(ofRoomOf: id),
      let item = roster.rooms[at: roster.place(ofRoomOf: id)]?.item
    else { return nil }
    return roster.peers.change(id) { $0?.takeNewReport(on: item, in: standing) }
  }

  /// Sends a State.
  ///
  /// - Parameters:
  ///   - purpose: what the client has to do; `nil` is a periodic State.
  ///   - other: what to send instead of the room's position.
  mutating func sendState(
    to id: PeerID, _ purpose: SyncplayPeer.Plan.Purpose?, _ other: SyncplayServerState? = nil
  ) {
    sendState(to: id, purpose, other, of: roster.look(atRoomOf: id))
  }

  private mutating func sendState(
    to id: PeerID, _ purpose: SyncplayPeer.Plan.Purpose?, _ other: SyncplayServerState? = nil,
    of room: SyncplayRoom.View?
  ) {
    let (server, now) = (roster.options.serverName, roster.now)
    let state = roster.peers.change(id) { peer in
      peer?.compose(
        purpose, room?.standing, setBy: room?.setBy, server: server, other, at: now)
    }
    guard let state else { return }
    roster.catchUp(id)
    roster.outputs.append(.state(consume state, to: id))
  }
}

// MARK: Changes

extension SyncplayLobby {
  /// Tells everybody in a room about a change of its timeline.
  ///
  /// - Parameters:
  ///   - action: what happened.
  ///   - originator: the participant whose player has made the change already.
  mutating func tellRoom(
    _ name: String, _ action: TimelineAction, by originator: ParticipantID?
  ) {
    guard let room = roster.rooms[name], let timeline = room.timeline else { return }
    var due = roster.now
    if case .preparing = timeline.phase {
      roster.answerReady(in: name)
      guard roster.isHeldUp(room) else { return }
      due = roster.now + SyncplayLimits.startPatience
    }
    let isRunning = isRunningAlready(originator, in: room)
    let answer: SyncplayPeer.Plan.Purpose = action == .seek ? .confirmation : .acknowledgement
    // What the list or the server does is no person's jump.
    let move: SyncplayPeer.Plan.Purpose = originator == nil ? .correction : .seek
    for member in room.members {
      roster.peers[member]?.drift.forget()
      let isOwn = originator != nil && roster.peers[member]?.membership.participant == originator
      switch timeline.phase {
      case .playing where action == .setRate: break
      case .playing where isOwn && isRunning: plan(answer, for: member, at: roster.now)
      case .playing(let anchor): start(member, at: anchor, in: room, action, isRunning)
      case .paused, .preparing, .ended:
        let moves = action == .seek || action == .propose
        plan(isOwn ? answer : moves ? move : .stop, for: member, at: due)
      }
    }
  }

  /// Whether the originator is a client whose player runs already.
  private func isRunningAlready(_ originator: ParticipantID?, in room: SyncplayRoom) -> Bool {
    guard let originator else { return false }
    return room.members.contains {
      roster.peers[$0]?.membership.participant == originator
        && roster.peers[$0]?.place?.isPaused == false
    }
  }

  /// Starts a client's player with the others.
  ///
  /// If the originator's player already plays, the client starts at once, and is moved to that
  /// player's position as soon as its own player runs. Otherwise the State is sent early, so that
  /// all players start together. A player that is far away is moved first, because people do not
  /// see a seek of a paused player.
  private mutating func start(
    _ id: PeerID, at anchor: TimelineAnchor, in room: SyncplayRoom, _ action: TimelineAction,
    _ isRunning: Bool
  ) {
    guard let peer = roster.peers[id] else { return }
    let due = isRunning ? roster.now : max(peer.due(for: anchor.at), roster.now)
    let wanted = room.place(at: due + peer.startLead)
    let lag = abs(wanted - (peer.place?.position ?? wanted))
    guard peer.toldPaused != false, action != .seek, lag < Self.farAway else {
      return plan(.seek, for: id, at: due)
    }
    plan(.start, for: id, at: due, isLate: lag > Self.startTolerance)
  }

  /// A player that is further away, in seconds, is moved before it starts.
  ///
  /// Clients begin to slow down at 1.5 s.
  private static let farAway = 1.0
  /// Players with a smaller distance, in seconds, look synchronous; it is the length of two frames.
  private static let startTolerance = 0.08
}
