import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients are told of where the room is, and when.

extension SyncplayLobby {
  /// Has a client told something beside its periodic States; the latest plan counts.
  mutating func plan(_ purpose: SyncplayPeer.Plan.Purpose, for id: PeerID, at due: Instant) {
    guard peers[id]?.user != nil else { return }
    peers[id]?.plan = SyncplayPeer.Plan(due: max(due, now), purpose: purpose)
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
  }

  private static let steeringCheck = Duration.milliseconds(20)

  /// One beat of a peer's second.
  private mutating func beat(_ id: PeerID) {
    guard var peer = peers[id], let room = room(of: id) else { return }
    guard now - peer.lastHeard <= SyncplayLimits.silence else { return close(id, nil) }
    let isReporting = peer.pulses % SyncplayLimits.periodsOfPing == 2
    // What is about to be said, or has been asked for and not answered, is not contradicted; but a
    // word in two seconds there is, since clients give up without.
    var isSpared = peer.membership.steering != nil
    if !isSpared, let plan = peer.plan { isSpared = plan.due < now + SyncplayLimits.statePeriod }
    if !isSpared, !peer.wasSpared, case .preparing? = room.timeline?.phase {
      isSpared = !isHeldUp(room)
    }
    peer.pulse = now + SyncplayLimits.statePeriod
    peer.pulses &+= 1
    peer.said = 0
    peer.wasSpared = isSpared
    peer.membership.steering = nil
    peers[id] = peer
    if isReporting { report(id, in: room) }
    if room.keeper == nil, room.members.first == id { wantKeeper(of: room) }
    if peer.membership.participant == nil { enterSession(id) }
    // Who has not acknowledged the last change is told again, and not left without a word.
    if !isSpared { sendState(to: id, nil) }
  }

  /// Tells the coordinator how far a client is, and where.
  private mutating func report(_ id: PeerID, in room: SyncplayRoom) {
    guard let peer = peers[id], peer.exchange.latency.average != nil else { return }
    let sent = HostTime(microseconds: now.microseconds)
    outputs.append(.tell(id, .ping(Ping(sent: sent, roundTrip: peer.exchange.latency.late))))
    guard let place = peer.place, let isPaused = place.isPaused, room.timeline != nil,
      peer.membership.participant != nil
    else { return }
    outputs.append(
      .tell(
        id,
        .report(
          PositionReport(
            item: room.item, mediaTime: .seconds(max(place.position, 0)),
            at: peer.lastHeard - peer.oneWay, isPlaying: !isPaused))))
  }

  /// Sends a State.
  ///
  /// - Parameters:
  ///   - purpose: what it is to do, if it is something new; `nil` is a periodic one.
  ///   - other: what to say instead of where the room is.
  mutating func sendState(
    to id: PeerID, _ purpose: SyncplayPeer.Plan.Purpose?, _ other: SyncplayServerState? = nil
  ) {
    guard var peer = peers[id], let user = peer.user, let room = rooms[user.room] else { return }
    let effective = purpose ?? peer.unseen
    let position = other?.position ?? position(in: room, for: peer, effective)
    let isPaused = other?.isPaused ?? room.isPaused
    let state = peer.exchange.compose(
      position: position, isPaused: isPaused, isSeek: effective == .seek,
      setBy: other?.setBy ?? setter(in: room, for: user, effective), isNew: purpose != nil,
      at: now)
    if let purpose {
      peer.unseen = purpose
      peer.landing = landing(of: purpose, for: peer, isPaused: isPaused)
    }
    peer.toldPaused = isPaused
    peers[id] = peer
    send(.state(state), to: id)
  }

  /// Who did it: a client does nothing about what it did itself, so that what it is to do is
  /// somebody else's.
  private func setter(
    in room: SyncplayRoom, for user: SyncplayUser, _ purpose: SyncplayPeer.Plan.Purpose?
  ) -> String? {
    guard purpose == .seek, room.setBy == nil || room.setBy == user.name else { return room.setBy }
    return options.serverName
  }

  /// Where a client is told that the room is, so that its player gets there.
  private func position(
    in room: SyncplayRoom, for peer: SyncplayPeer, _ purpose: SyncplayPeer.Plan.Purpose?
  ) -> Double {
    let place = room.place(at: now)
    switch purpose {
    case .seek where !room.isPaused:
      // At another rate than the room's it is half of the time ahead and half of it behind.
      let drift = (room.rate.factor - 1) * DriftWatch.interval.inSeconds / 2
      let aim = min(max(drift, -Self.largestAim), Self.largestAim)
      return max(place + peer.habits.seekCost.inSeconds * room.rate.factor + aim, 0)
    case .stop where peer.toldPaused == false:
      return max(place - peer.habits.overrun.inSeconds, 0)
    default: return place
    }
  }

  /// Clients slow down at 1.5 s ahead.
  private static let largestAim = 1.2

  private func landing(
    of purpose: SyncplayPeer.Plan.Purpose, for peer: SyncplayPeer, isPaused: Bool
  ) -> SyncplayPeer.Landing? {
    switch purpose {
    case .stop where peer.toldPaused == false, .seek where !isPaused:
      SyncplayPeer.Landing(purpose: purpose, at: now)
    default: nil
    }
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
    if case .preparing = timeline.phase {
      answerReady(in: name)
      guard isHeldUp(room) else { return }
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
        plan(isOwn ? .acknowledgement : moves ? .seek : .stop, for: member, at: now)
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
  /// Behind one whose player runs already it begins at once, where that one is by then; else it
  /// begins when the others do, with a line that arrives right then. Who stands elsewhere is moved
  /// with it: a seek of a player that stands still is all that people do not see.
  private mutating func start(
    _ id: PeerID, at anchor: TimelineAnchor, in room: SyncplayRoom, _ action: TimelineAction,
    _ isRunning: Bool
  ) {
    guard let peer = peers[id] else { return }
    let due = isRunning ? now : max(anchor.at - peer.oneWay, now)
    let wanted = room.place(at: due + peer.oneWay)
    let lag = wanted - (peer.place?.position ?? wanted)
    let isThere = peer.toldPaused != false && abs(lag) < Self.startTolerance
    plan(isThere && action != .seek ? .start : .seek, for: id, at: due)
  }

  /// A player that stands still is moved for more than this before it starts: less than a seek
  /// may take longer than another.
  private static let startTolerance = 0.1

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
