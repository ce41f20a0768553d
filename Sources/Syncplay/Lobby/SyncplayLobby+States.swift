import GroupSessions
import Playback
import Vocabulary
import Wire

// States: what clients report of their players, and what they are told of the room.

extension SyncplayLobby {
  /// Handles a State; before the Hello it is ignored.
  mutating func receive(_ state: SyncplayClientState, from id: PeerID) {
    let now = now
    let report = peers.change(id) { peer in
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
    guard let peer = peers[id], let room = room(of: id) else { return }
    var change = report.change
    // The answer to a change may describe the player before it; the client counts a person's key.
    if change != nil, report.isAnswer, !isOwn, !place.isSeek { change = nil }
    // A player without a file stays paused whatever its client is told.
    if change != nil, !isOwn, !place.isSeek, peer.user?.file == nil, room.hasFiles {
      change = nil
    }
    guard change != nil || place.isSeek else {
      return note(place.position, isPaused: report.isPaused, of: id)
    }
    if let arrival = peer.arrival, !arrival.isOver(at: now, hasFile: peer.user?.file != nil),
      !isWelcome(change, place, arrival, in: room)
    {
      return plan(.seek, for: id, at: now)
    }
    guard mayControl(id) else { return correct(id, place, isPaused: report.isPaused) }
    carryOut(place, change, by: id, in: room)
  }

  /// Whether a client that has just opened a file may start the paused room from its place.
  private func isWelcome(
    _ change: Bool?, _ place: SyncplayClientState.Place, _ arrival: Arrival, in room: SyncplayRoom
  ) -> Bool {
    change == false && !place.isSeek && arrival.hasArrived
      && room.offset(of: place, at: now).magnitude < Arrival.tolerance
  }

  // MARK: Wishes

  private mutating func carryOut(
    _ place: SyncplayClientState.Place, _ change: Bool?, by id: PeerID, in room: SyncplayRoom
  ) {
    guard let peer = peers[id] else { return }
    if change == true, !place.isSeek, peer.isEnd(place.position, in: room) {
      return reportEnd(id, in: room)
    }
    peers[id]?.drift.forget()
    let willRun = !(change ?? room.isPaused)
    // Its player runs while its request is on its way, and until the others can start.
    let way = Duration.microseconds(peer.oneWay)
    let isAtOnce = canStartAtOnce(room)
    let ahead = willRun ? (way + lead(of: room)).inSeconds * room.rate.factor : 0
    var requests: [PlaybackCommand] = []
    let target = MediaTime.seconds(max(place.position, 0) + ahead)
    if place.isSeek {
      requests.append(.seek(room.item, to: target, immediately: isAtOnce))
    } else if change == false, room.isVisibly(awayFrom: target, at: now),
      room.offset(of: place, at: now).magnitude < Arrival.tolerance
    {
      requests.append(.seek(room.item, to: target))
    }
    switch change {
    case true: requests.append(.pause(room.item, at: MediaTime.seconds(max(place.position, 0))))
    case false: requests.append(.play(room.item, immediately: isAtOnce))
    case nil: break
    }
    for request in requests {
      let number = askSession(.playback(nil, request), as: id)
      peers[id]?.membership.steering = number
    }
  }

  /// How far ahead the coordinator sets a common start, by the round trips that it was told.
  private func lead(of room: SyncplayRoom) -> Duration {
    let slowest = room.members.compactMap { peers[$0]?.membership.reportedTrip }.max() ?? .zero
    return PlaybackConditions(slowestDelay: slowest / 2, limits: limits).lead
  }

  /// Whether all have loaded what is on, so that no start barrier is needed.
  private func canStartAtOnce(_ room: SyncplayRoom) -> Bool {
    guard let session = room.session else { return false }
    return session.playback.counting(room.item).allSatisfy { participant, state in
      if state.readySeq > 0 || !state.isAttached { return true }
      guard let device = session.participants[participant]?.device, let peer = greeted[device]
      else { return false }
      return peers[peer]?.user?.hasLoaded == true
    }
  }

  /// If the item's duration is unknown, it ends when most participants report its end.
  private mutating func reportEnd(_ id: PeerID, in room: SyncplayRoom) {
    guard let timeline = room.timeline, timeline.duration == nil else { return }
    askSession(.playback(nil, .reportEnd(room.item, seq: timeline.seq)), as: id)
  }

  /// Corrects a client that may not steer: first its own change is acknowledged, then the room's
  /// place is sent.
  private mutating func correct(
    _ id: PeerID, _ place: SyncplayClientState.Place, isPaused: Bool
  ) {
    guard let room = room(of: id), let name = peers[id]?.user?.name else { return }
    sendState(
      to: id, .acknowledgement,
      SyncplayServerState(
        position: room.place(at: now), isPaused: isPaused, setBy: name, stamp: 0))
    peers[id]?.plan = nil
    sendState(to: id, .seek)
  }

  // MARK: Where a player is

  /// Learns from a player's place, and seeks it to the room's place if needed.
  private mutating func note(_ position: Double, isPaused: Bool, of id: PeerID) {
    guard let standing = standing(ofRoomOf: id), isPaused == standing.isPaused else { return }
    let now = now
    if peers.change(id, { $0?.note(position, standing, at: now) }) == true {
      plan(.seek, for: id, at: now)
    }
  }
}

// MARK: What clients are told

extension SyncplayLobby {
  /// Plans a State beside the periodic ones; it replaces an earlier plan.
  mutating func plan(
    _ purpose: SyncplayPeer.Plan.Purpose, for id: PeerID, at due: Instant, isLate: Bool = false
  ) {
    guard peers[id]?.user != nil else { return }
    peers[id]?.plan = SyncplayPeer.Plan(due: max(due, now), purpose: purpose, isLate: isLate)
    arm(id)
  }

  /// Carries out what is due for a peer.
  mutating func meetDeadlines(of id: PeerID) {
    if let plan = peers[id]?.plan, plan.due <= now { carryOut(plan, for: id) }
    guard let pulse = peers[id]?.pulse, pulse <= now else { return }
    beat(id)
  }

  private mutating func carryOut(_ plan: SyncplayPeer.Plan, for id: PeerID) {
    // A client that has just steered is told the result; the answer comes within the second.
    guard peers[id]?.membership.steering == nil else {
      peers[id]?.plan?.due = now + Self.steeringCheck
      return
    }
    peers[id]?.plan = nil
    sendState(to: id, plan.purpose)
    if plan.isLate { self.plan(.seek, for: id, at: now + catchUp(in: place(ofRoomOf: id))) }
  }

  /// When a player that began late is moved.
  private func catchUp(in room: UInt32) -> Duration {
    guard let standing = rooms[at: room]?.standing else { return Self.catchUp }
    let missing = Arrival.seekable - standing.place(at: now + Self.catchUp)
    return Self.catchUp + .seconds(max(missing, 0) / standing.rate.factor)
  }

  /// How long after a late start a player is moved. By then it runs; moving it while it runs takes
  /// a quarter of the time that moving it first takes.
  private static let catchUp = Duration.milliseconds(150)

  private static let steeringCheck = Duration.milliseconds(20)

  /// A peer's second is over.
  private mutating func beat(_ id: PeerID) {
    let room = look(atRoomOf: id)
    let isStarting = room?.standing?.isPreparing == true && isStarting(roomOf: id)
    let (now, next) = (now, nextPulse)
    let beat = peers.change(id) { $0?.beat(isStarting: isStarting, next: next, at: now) }
    guard let beat else { return }
    guard beat != .silence else { return close(id, nil) }
    schedule(id, at: next)
    if beat.contains(.report) { report(id, isDue: beat.contains(.ping)) }
    if room?.hasKeeper == false { ensureKeeper(ofRoomOf: id) }
    if beat.contains(.join) { enterSession(id) }
    // A client that has not acknowledged the last change is sent it again.
    if !beat.contains(.spared) { sendState(to: id, nil, of: room) }
  }

  /// Whether the start of a peer's room is not held up.
  private func isStarting(roomOf id: PeerID) -> Bool {
    guard let room = room(of: id) else { return false }
    return !isHeldUp(room)
  }

  /// The first client in a room without a keeper asks for one again.
  private mutating func ensureKeeper(ofRoomOf id: PeerID) {
    guard let room = room(of: id), room.members.first == id else { return }
    wantKeeper(of: room)
  }

  /// Reports a client's place and round trip to the coordinator, if they changed.
  ///
  /// - Parameter isDue: whether to send something even if nothing changed.
  private mutating func report(_ id: PeerID, isDue: Bool) {
    if isDue { peers.change(id) { $0?.membership.reportedRest = nil } }
    let report = positionReport(of: id)
    let roundTrip = peers.change(id) { $0?.takeNewTrip() }
    if roundTrip != nil || isDue && report == nil {
      let sent = HostTime(microseconds: now.microseconds)
      outputs.append(.tell(id, .ping(Ping(sent: sent, roundTrip: roundTrip))))
    }
    if let report { outputs.append(.tell(id, .report(report))) }
  }

  private mutating func positionReport(of id: PeerID) -> PositionReport? {
    guard let standing = standing(ofRoomOf: id),
      let item = rooms[at: place(ofRoomOf: id)]?.item
    else { return nil }
    return peers.change(id) { $0?.takeNewReport(on: item, in: standing) }
  }

  /// Sends a State.
  ///
  /// - Parameters:
  ///   - purpose: its purpose, if it says something new; `nil` for a periodic one.
  ///   - other: what to send instead of the room's place.
  mutating func sendState(
    to id: PeerID, _ purpose: SyncplayPeer.Plan.Purpose?, _ other: SyncplayServerState? = nil
  ) {
    sendState(to: id, purpose, other, of: look(atRoomOf: id))
  }

  private mutating func sendState(
    to id: PeerID, _ purpose: SyncplayPeer.Plan.Purpose?, _ other: SyncplayServerState? = nil,
    of room: SyncplayRoom.View?
  ) {
    let (server, now) = (options.serverName, now)
    let state = peers.change(id) { peer in
      peer?.compose(
        purpose, room?.standing, setBy: room?.setBy, server: server, other, at: now)
    }
    guard let state else { return }
    catchUp(id)
    outputs.append(.state(consume state, to: id))
  }
}

// MARK: What happened

extension SyncplayLobby {
  /// Tells a room's clients that its playback changed.
  ///
  /// - Parameters:
  ///   - action: what happened.
  ///   - originator: the participant whose player does so already.
  mutating func tellRoom(
    _ name: String, _ action: TimelineAction, by originator: ParticipantID?
  ) {
    guard let room = rooms[name], let timeline = room.timeline else { return }
    var due = now
    if case .preparing = timeline.phase {
      answerReady(in: name)
      guard isHeldUp(room) else { return }
      due = now + SyncplayLimits.startPatience
    }
    let isRunning = isRunningAlready(originator, in: room)
    for member in room.members {
      peers[member]?.drift.forget()
      let isOwn = originator != nil && peers[member]?.membership.participant == originator
      switch timeline.phase {
      case .playing where action == .setRate: break
      case .playing where isOwn && isRunning: plan(.acknowledgement, for: member, at: now)
      case .playing(let anchor): start(member, at: anchor, in: room, action, isRunning)
      case .paused, .preparing, .ended:
        let moves = action == .seek || action == .propose
        plan(isOwn ? .acknowledgement : moves ? .seek : .stop, for: member, at: due)
      }
    }
  }

  /// Whether the originator is a client whose player runs already.
  private func isRunningAlready(_ originator: ParticipantID?, in room: SyncplayRoom) -> Bool {
    guard let originator else { return false }
    return room.members.contains {
      peers[$0]?.membership.participant == originator && peers[$0]?.place?.isPaused == false
    }
  }

  /// Starts a client's player with the others.
  ///
  /// If the originator's player runs already, this one starts at once, and is moved as soon as it
  /// runs. Otherwise it starts with the others, by a line that arrives a little before. A player
  /// far away is moved first, because nobody sees the seek of a paused player.
  private mutating func start(
    _ id: PeerID, at anchor: TimelineAnchor, in room: SyncplayRoom, _ action: TimelineAction,
    _ isRunning: Bool
  ) {
    guard let peer = peers[id] else { return }
    let lead = peer.oneWay + Int64(peer.habits.startCost)
    let due = isRunning ? now : max(Instant(microseconds: anchor.at.microseconds - lead), now)
    let wanted = room.place(at: Instant(microseconds: due.microseconds + lead))
    let lag = abs(wanted - (peer.place?.position ?? wanted))
    guard peer.toldPaused != false, action != .seek, lag < Self.farAway else {
      return plan(.seek, for: id, at: due)
    }
    plan(.start, for: id, at: due, isLate: lag > Self.startTolerance)
  }

  /// In seconds; a player further away is moved before it starts. Clients begin to slow down at
  /// 1.5.
  private static let farAway = 1.0
  /// In seconds, two frames; nobody sees a smaller difference of two players.
  private static let startTolerance = 0.08

  /// Whether a start waits for a participant to load.
  func isHeldUp(_ room: SyncplayRoom) -> Bool {
    guard let session = room.session, let timeline = room.timeline,
      case .preparing = timeline.phase
    else { return false }
    return session.playback.counting(room.item).contains { participant, state in
      guard state.isAttached, state.readySeq != timeline.seq else { return false }
      guard let device = session.participants[participant]?.device, let id = greeted[device] else {
        return true
      }
      return peers[id]?.readySeq != timeline.seq
    }
  }

  /// Sends `ready` for the clients that have loaded what is on, if a start waits.
  mutating func answerReady(in name: String) {
    guard let room = rooms[name], let timeline = room.timeline, case .preparing = timeline.phase
    else { return }
    for member in room.members { answerReady(member, to: timeline.seq, in: room) }
  }

  /// Sends a peer's `ready`, unless it was sent or the peer is still loading.
  mutating func answerReady(_ id: PeerID, to seq: Int, in room: SyncplayRoom) {
    guard let peer = peers[id], peer.user?.hasLoaded == true, peer.readySeq != seq,
      let participant = peer.membership.participant,
      room.session?.playback.participants[participant]?.item == room.item
    else { return }
    peers[id]?.readySeq = seq
    askSession(.playback(nil, .ready(room.item, seq: seq)), as: id)
  }
}
