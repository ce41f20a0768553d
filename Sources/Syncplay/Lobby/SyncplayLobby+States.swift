import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients say of their players: most of it is only where they are, some of it is a wish.

extension SyncplayLobby {
  mutating func receive(_ state: SyncplayClientState, from id: PeerID) {
    guard var peer = peers[id] else { return }
    let isAnswer = peer.exchange.receive(state, at: now)
    if isAnswer { peer.unseen = nil }
    // Whoever talks lives, whether or not it has seen the last change.
    peer.lastHeard = now
    peers[id] = peer
    guard !peer.exchange.isWaiting, let place = state.place, place.position.isFinite,
      let room = room(of: id)
    else { return }
    judge(place, from: id, in: room, isAnswer: isAnswer, isOwn: state.clientIgnoring != nil)
  }

  private mutating func judge(
    _ place: SyncplayClientState.Place, from id: PeerID, in room: SyncplayRoom, isAnswer: Bool,
    isOwn: Bool
  ) {
    guard let peer = peers[id] else { return }
    // Who was told nothing yet cannot have meant anything by it.
    guard let believed = peer.toldPaused else { return }
    let isPaused = place.isPaused ?? peer.place?.isPaused ?? believed
    var change = isPaused != believed ? isPaused : nil
    // The answer to a change may tell of the player before it; a person's key is counted.
    if change != nil, isAnswer, !isOwn, !place.isSeek { change = nil }
    // A player without a file stands still whatever its client is told.
    if change != nil, !isOwn, !place.isSeek, peer.user?.file == nil, hasFiles(room) {
      change = nil
    }
    peers[id]?.place = SyncplayClientState.Place(position: place.position, isPaused: isPaused)
    guard change != nil || place.isSeek else {
      return note(place.position, isPaused: isPaused, of: id, in: room)
    }
    if let arrival = peer.arrival, !arrival.isOver(at: now, hasFile: peer.user?.file != nil),
      !isWelcome(change, place, arrival, in: room)
    {
      return plan(.seek, for: id, at: now)
    }
    guard mayControl(id) else { return correct(id, place, isPaused: isPaused) }
    carryOut(place, change, by: id, in: room)
  }

  private func hasFiles(_ room: SyncplayRoom) -> Bool {
    room.members.contains { peers[$0]?.user?.file != nil }
  }

  /// Whether somebody who has just opened a file may start what stands still, from where it stands.
  private func isWelcome(
    _ change: Bool?, _ place: SyncplayClientState.Place, _ arrival: Arrival, in room: SyncplayRoom
  ) -> Bool {
    let offset = Duration.seconds(place.position - room.place(at: now))
    return change == false && !place.isSeek && arrival.hasArrived
      && offset.magnitude < Arrival.tolerance
  }

  // MARK: Wishes

  private mutating func carryOut(
    _ place: SyncplayClientState.Place, _ change: Bool?, by id: PeerID, in room: SyncplayRoom
  ) {
    guard let peer = peers[id] else { return }
    if change == true, !place.isSeek, isEnd(place.position, of: peer, in: room) {
      return reportEnd(id, in: room)
    }
    peers[id]?.drift.forget()
    let willRun = !(change ?? room.isPaused)
    // Its player runs while its wish is on its way, and until the others can start.
    let ahead = willRun ? (peer.oneWay + lead(of: room)).inSeconds * room.rate.factor : 0
    var requests: [PlaybackCommand] = []
    let target = MediaTime.seconds(max(place.position, 0) + ahead)
    let isAtOnce = canStartAtOnce(room)
    if place.isSeek {
      requests.append(.seek(room.item, to: target, immediately: isAtOnce))
    } else if change == false, ahead > Self.tolerableAdvance,
      abs(place.position - room.place(at: now)) < Arrival.tolerance.inSeconds
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

  /// Nobody sees that a player begins this much before the others.
  private static let tolerableAdvance = 0.06

  /// How far ahead the coordinator sets a common start, as far as is known here.
  private func lead(of room: SyncplayRoom) -> Duration {
    let slowest = room.members.compactMap { peers[$0]?.exchange.latency.late }.max() ?? .zero
    return (slowest / 2 + .milliseconds(40)).clamped(to: limits.shortestLead...limits.longestLead)
  }

  /// Whether everybody has loaded what is on, so that nobody has to be asked.
  private func canStartAtOnce(_ room: SyncplayRoom) -> Bool {
    guard let session = room.session else { return false }
    return session.playback.counting(room.item).allSatisfy { participant, state in
      if state.readySeq > 0 || !state.isAttached { return true }
      guard let device = session.participants[participant]?.device, let peer = devices[device]
      else { return false }
      return peers[peer]?.user?.hasLoaded == true
    }
  }

  /// Whether a player stopped because its file ended: that is no wish to pause.
  private func isEnd(_ position: Double, of peer: SyncplayPeer, in room: SyncplayRoom) -> Bool {
    guard let length = peer.user?.file?.duration, length > .seconds(10), !room.isPaused else {
      return false
    }
    return position >= length.inSeconds - 1
  }

  /// Where nobody said how long the item is, it ends when most have come to its end.
  private mutating func reportEnd(_ id: PeerID, in room: SyncplayRoom) {
    guard let timeline = room.timeline, timeline.duration == nil else { return }
    askSession(.playback(nil, .reportEnd(room.item, seq: timeline.seq)), as: id)
  }

  /// Somebody who may only watch is told so: first what they did, as theirs, and then what is.
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

  /// Learns from where a player is, and sends it to the group if that is elsewhere.
  private mutating func note(
    _ position: Double, isPaused: Bool, of id: PeerID, in room: SyncplayRoom
  ) {
    guard let peer = peers[id], room.timeline != nil, isPaused == room.isPaused else { return }
    let reported = isPaused ? position : position + peer.oneWay.inSeconds * room.rate.factor
    let offset = Duration.seconds(reported - room.place(at: now))
    learn(from: offset, isPaused: isPaused, of: id, in: room)
    peers[id]?.arrival?.note(offset: offset, agrees: true)
    let hasFile = peer.user?.file != nil
    if let arrival = peer.arrival, !arrival.isOver(at: now, hasFile: hasFile) {
      // It was told where the group is; what it does instead is its own loading.
      if hasFile, offset.magnitude >= Arrival.tolerance, peer.plan == nil {
        plan(.seek, for: id, at: now)
      }
      return
    }
    peers[id]?.arrival = nil
    guard peer.plan == nil, peer.landing == nil, isReachable(room, for: peer) else { return }
    let drifts = !isPaused && room.rate != .normal
    guard peers[id]?.drift.note(offset, isExpected: drifts, at: now) == true else { return }
    plan(.seek, for: id, at: now)
  }

  /// Whether a client's own file goes as far as the room is: nobody is sent beyond an end.
  private func isReachable(_ room: SyncplayRoom, for peer: SyncplayPeer) -> Bool {
    guard let length = peer.user?.file?.duration else { return true }
    return room.place(at: now) < length.inSeconds - 1
  }

  private mutating func learn(
    from offset: Duration, isPaused: Bool, of id: PeerID, in room: SyncplayRoom
  ) {
    guard let landing = peers[id]?.landing else { return }
    let age = now - landing.at
    switch landing.purpose {
    case .stop where isPaused && age >= Self.stopTime: peers[id]?.habits.noteStop(offset)
    case .seek where !isPaused && room.rate == .normal && age >= Self.seekTime:
      peers[id]?.habits.noteSeek(offset)
    case .start, .acknowledgement: break
    default:
      if age < Self.landingTime { return }
    }
    peers[id]?.landing = nil
  }

  /// When a player has stopped, or plays on behind a seek; and when that says nothing any more.
  private static let stopTime = Duration.milliseconds(400)
  private static let seekTime = Duration.milliseconds(900)
  private static let landingTime = Duration.seconds(4)
}
