import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients say of their players: most of it is only where they are, some of it is a wish.

extension SyncplayLobby {
  /// Takes in a State; of whoever has not said hello it means nothing.
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
    // The answer to a change may tell of the player before it; a person's key is counted.
    if change != nil, report.isAnswer, !isOwn, !place.isSeek { change = nil }
    // A player without a file stands still whatever its client is told.
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

  /// Whether somebody who has just opened a file may start what stands still, from where it stands.
  private func isWelcome(
    _ change: Bool?, _ place: SyncplayClientState.Place, _ arrival: Arrival, in room: SyncplayRoom
  ) -> Bool {
    change == false && !place.isSeek && arrival.hasArrived
      && offset(place, in: room).magnitude < Arrival.tolerance
  }

  /// How many microseconds a place is from where the room is.
  private func offset(_ place: SyncplayClientState.Place, in room: SyncplayRoom) -> Int64 {
    MediaTime.seconds(place.position - room.place(at: now)).microseconds
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
    let way = Duration.microseconds(peer.oneWay)
    let isAtOnce = canStartAtOnce(room)
    let ahead = willRun ? (way + lead(of: room)).inSeconds * room.rate.factor : 0
    var requests: [PlaybackCommand] = []
    let target = MediaTime.seconds(max(place.position, 0) + ahead)
    if place.isSeek {
      requests.append(.seek(room.item, to: target, immediately: isAtOnce))
    } else if change == false, isElsewhere(target, in: room),
      offset(place, in: room).magnitude < Arrival.tolerance
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

  /// Whether a player that runs already begins so far from where the room stands that people see it.
  private func isElsewhere(_ target: MediaTime, in room: SyncplayRoom) -> Bool {
    abs(target.seconds - room.place(at: now)) > Self.tolerableAdvance
  }

  private static let tolerableAdvance = 0.06

  /// How far ahead the coordinator sets a common start, as far as is known here: by what it was told
  /// of clients, not by what was learned since.
  private func lead(of room: SyncplayRoom) -> Duration {
    let slowest = room.members.compactMap { peers[$0]?.membership.reportedTrip }.max() ?? .zero
    return PlaybackConditions(slowestDelay: slowest / 2, limits: limits).lead
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
  private mutating func note(_ position: Double, isPaused: Bool, of id: PeerID) {
    guard let standing = standing(ofRoomOf: id), isPaused == standing.isPaused else { return }
    let now = now
    if peers.change(id, { $0?.note(position, standing, at: now) }) == true {
      plan(.seek, for: id, at: now)
    }
  }
}
