import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients are told of where the room is, and when.

extension SyncplayLobby {
  /// Has a client told something beside its periodic States; the latest plan counts.
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
    // Whoever has just steered hears what became of it; the answer comes within the second.
    guard peers[id]?.membership.steering == nil else {
      peers[id]?.plan?.due = now + Self.steeringCheck
      return
    }
    peers[id]?.plan = nil
    sendState(to: id, plan.purpose)
    if plan.isLate { self.plan(.seek, for: id, at: now + catchUp(in: place(ofRoomOf: id))) }
  }

  /// When a player is moved that began late.
  private func catchUp(in room: UInt32) -> Duration {
    guard let standing = rooms[at: room]?.standing else { return Self.catchUp }
    let missing = Arrival.seekable - standing.place(at: now + Self.catchUp)
    return Self.catchUp + .seconds(max(missing, 0) / standing.rate.factor)
  }

  /// How long after a late start a player is moved: it runs by then, and one that runs is moved in a
  /// quarter of the time that one takes which is moved first.
  private static let catchUp = Duration.milliseconds(150)

  private static let steeringCheck = Duration.milliseconds(20)

  /// One beat of a peer's second.
  private mutating func beat(_ id: PeerID) {
    let room = look(atRoomOf: id)
    let isStarting = room?.standing?.isPreparing == true && isStarting(roomOf: id)
    let (now, next) = (now, nextPulse)
    let beat = peers.change(id) { $0?.beat(isStarting: isStarting, next: next, at: now) }
    guard let beat else { return }
    guard beat != .silence else { return close(id, nil) }
    pulses.append(id, at: next)
    if beat.contains(.report) { report(id, isDue: beat.contains(.ping)) }
    if room?.hasKeeper == false { ensureKeeper(ofRoomOf: id) }
    if beat.contains(.join) { enterSession(id) }
    // Who has not acknowledged the last change is told again, and not left without a word.
    if !beat.contains(.spared) { sendState(to: id, nil, of: room) }
  }

  /// Whether nobody keeps a peer's room, which is about to start, from that.
  private func isStarting(roomOf id: PeerID) -> Bool {
    guard let room = room(of: id) else { return false }
    return !isHeldUp(room)
  }

  /// The first one in a room without a keeper asks again for one.
  private mutating func ensureKeeper(ofRoomOf id: PeerID) {
    guard let room = room(of: id), room.members.first == id else { return }
    wantKeeper(of: room)
  }

  /// Tells the coordinator where a client is, and how far, as far as that is new.
  ///
  /// - Parameter isDue: whether it is to hear of the client even if nothing is.
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
  ///   - purpose: what it is to do, if it is something new; `nil` is a periodic one.
  ///   - other: what to say instead of where the room is.
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
  /// Has everybody in a room told that it stands otherwise.
  ///
  /// - Parameters:
  ///   - action: what happened.
  ///   - originator: whose player does so already.
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

  /// Whether whoever did it is a client whose player runs on while the others are told.
  private func isRunningAlready(_ originator: ParticipantID?, in room: SyncplayRoom) -> Bool {
    guard let originator else { return false }
    return room.members.contains {
      peers[$0]?.membership.participant == originator && peers[$0]?.place?.isPaused == false
    }
  }

  /// Has a client play with the others.
  ///
  /// Behind one whose player runs already it begins at once, and is moved to where that one is as
  /// soon as it runs; else it begins when the others do, with a line that is there a little before.
  /// Who stands far away is moved first: a seek of a player that stands still is all that people do
  /// not see.
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

  /// A player that is further away is moved before it starts, in seconds; clients begin to slow down
  /// at 1.5.
  private static let farAway = 1.0
  /// Nobody sees two players that are less apart, in seconds: two frames.
  private static let startTolerance = 0.08

  /// Whether a start waits for somebody to load.
  func isHeldUp(_ room: SyncplayRoom) -> Bool {
    guard let session = room.session, let timeline = room.timeline,
      case .preparing = timeline.phase
    else { return false }
    return session.playback.counting(room.item).contains { participant, state in
      guard state.isAttached, state.readySeq != timeline.seq else { return false }
      guard let device = session.participants[participant]?.device, let id = devices[device] else {
        return true
      }
      return peers[id]?.readySeq != timeline.seq
    }
  }

  /// Says for those who have loaded what is on that they are ready, if the group asks.
  mutating func answerReady(in name: String) {
    guard let room = rooms[name], let timeline = room.timeline, case .preparing = timeline.phase
    else { return }
    for member in room.members { answerReady(member, to: timeline.seq, in: room) }
  }

  /// Says that a peer is ready, unless it said so or is still loading.
  mutating func answerReady(_ id: PeerID, to seq: Int, in room: SyncplayRoom) {
    guard let peer = peers[id], peer.user?.hasLoaded == true, peer.readySeq != seq,
      let participant = peer.membership.participant,
      room.session?.playback.participants[participant]?.item == room.item
    else { return }
    peers[id]?.readySeq = seq
    askSession(.playback(nil, .ready(room.item, seq: seq)), as: id)
  }
}
