import GroupSessions
import Playback
import Vocabulary
import Wire

// What the coordinator says to the lobby's peers.

extension SyncplayLobby {
  mutating func hear(_ message: ServerMessage, _ audience: Peers) {
    switch message {
    case .group(let group):
      guard let name = roomsByGroup[group.id] else { return }
      if rooms[name]?.people.map({ $0.seq < group.seq }) ?? true { take(group, in: name) }
      startSession(in: name)
    case .groupEvent(let group, let seq, _, let event):
      guard let name = roomsByGroup[group], rooms[name]?.people?.seq == seq - 1
      else { return }
      rooms[name]?.people?.evolve(event)
      follow(event, in: name)
      startSession(in: name)
    case .eligibility: for id in audience { if let name = keepers[id] { startSession(in: name) } }
    case .offer(let offer): take(offer, audience)
    case .snapshot(let snapshot): for id in audience { take(snapshot, by: id) }
    case .event(let session, let seq, let at, let event):
      apply(event, seq: seq, at: at, to: session)
    case .withheld(let session, let seq):
      let nothing = SessionEvent.messageSent(
        .nothing, to: .only([]), by: ParticipantID(options.serverName))
      apply(nothing, seq: seq, at: now, to: session)
    case .answer(let number, let answer): for id in audience { take(answer, to: number, of: id) }
    case .error(let number?, let error): for id in audience { take(error, to: number, of: id) }
    default: break
    }
  }

  // MARK: The group

  private mutating func take(_ group: Group, in name: String) {
    rooms[name]?.people = group
    for member in group.members.values { admit(member, to: name) }
    for device in guests(of: name) where group.members[device] == nil {
      dismiss(device, from: name)
    }
  }

  private mutating func follow(_ event: GroupEvent, in name: String) {
    switch event {
    case .memberJoined(let member): admit(member, to: name)
    case .memberLeft(let device, _): dismiss(device, from: name)
    case .sessionEnded(let session): if rooms[name]?.live == session { forget(session, in: name) }
    case .closed:
      rooms[name]?.people = nil
      for device in guests(of: name) { dismiss(device, from: name) }
    default: break
    }
  }

  // MARK: The session

  private mutating func take(_ offer: Offer, _ audience: Peers) {
    guard let name = roomsByGroup[offer.group], !offer.isStaged else { return }
    if let old = rooms[name]?.live, old != offer.session { roomsBySession[old] = nil }
    if rooms[name]?.live != offer.session { rooms[name]?.mirror(nil) }
    rooms[name]?.live = offer.session
    roomsBySession[offer.session] = name
    for id in audience {
      if keepers[id] != nil { enterSessionAsKeeper(of: name) } else { enterSession(id) }
    }
  }

  private mutating func enterSessionAsKeeper(of name: String) {
    guard let live = rooms[name]?.live, rooms[name]?.keeperMembership.session != live else {
      return
    }
    rooms[name]?.keeperMembership.leaveSession()
    rooms[name]?.keeperMembership.session = live
    ask(.join(live, handoffFrom: nil), asKeeperOf: name)
  }

  /// Has a peer join its room's session, if it has not.
  mutating func enterSession(_ id: PeerID) {
    guard let room = room(of: id), let live = room.live, let membership = peers[id]?.membership,
      membership.group == room.group, membership.session != live
    else { return }
    peers[id]?.membership.session = live
    peers[id]?.membership.participant = nil
    ask(.join(live, handoffFrom: nil), as: id)
  }

  private mutating func take(_ snapshot: SessionSnapshot, by id: PeerID) {
    guard let name = roomsBySession[snapshot.session.id], keepers[id] == name else { return }
    rooms[name]?.mirror(snapshot.session)
    if rooms[name]?.isEmpty == true, isKept(name) {
      rooms[name]?.closes = nil
      pauseAsKeeper(of: name)
    }
    fillQueue(of: name)
    adopt(name)
    for member in rooms[name]?.members ?? [] {
      promote(member)
      attach(member)
      agree(on: member)
    }
    tell(of: guests(of: name), in: name)
    tellPlaylist(in: name, by: nil)
    tellRoom(name, .seek, by: nil)
  }

  /// A session is over; the room goes on with the next one.
  mutating func forget(_ session: SessionID, in name: String) {
    roomsBySession[session] = nil
    rooms[name]?.live = nil
    rooms[name]?.mirror(nil)
    rooms[name]?.keeperMembership.leaveSession()
    for member in rooms[name]?.members ?? [] { peers[member]?.membership.leaveSession() }
    tell(of: guests(of: name), in: name)
  }

  // MARK: Answers

  private mutating func take(_ answer: Answer, to number: RequestID, of id: PeerID) {
    if let name = keepers[id] {
      if rooms[name]?.keeperMembership.steering == number {
        rooms[name]?.keeperMembership.steering = nil
      }
      return
    }
    if case .joined(let session, let participant) = answer {
      takePart(id, in: session, as: participant)
    }
    settle(number, of: id)
  }

  private mutating func take(_ error: ProtocolError, to number: RequestID, of id: PeerID) {
    if let name = keepers[id] {
      if rooms[name]?.keeperMembership.steering == number {
        rooms[name]?.keeperMembership.steering = nil
      }
      return
    }
    if peers[id]?.membership.steering == number { plan(.seek, for: id, at: now) }
    // It is asked again with the next beat.
    if peers[id]?.membership.participant == nil { peers[id]?.membership.session = nil }
    settle(number, of: id)
  }

  private mutating func takePart(
    _ id: PeerID, in session: SessionID, as participant: ParticipantID
  ) {
    guard peers[id]?.membership.session == session else { return }
    peers[id]?.membership.takePart(as: participant)
    promote(id)
    attach(id)
    repeatReadiness(of: id)
    for request in peers[id]?.membership.takeWaiting() ?? [] { askSession(request, as: id) }
    if let file = peers[id]?.user?.file, makesItem(id), let media = media(of: file) {
      propose(media, by: id)
    }
  }

  /// A peer's request was answered, whatever the answer.
  private mutating func settle(_ number: RequestID, of id: PeerID) {
    finishReplacement(number, of: id)
    settleWord(number, of: id)
    if peers[id]?.membership.leaving == number {
      peers[id]?.membership.leaving = nil
      joinGroup(id)
    }
    guard peers[id]?.membership.steering == number else { return }
    peers[id]?.membership.steering = nil
    guard let room = room(of: id), peers[id]?.plan == nil else { return }
    // About to start is not paused: the word follows with the start, if it comes soon.
    if case .preparing? = room.timeline?.phase {
      guard isHeldUp(room) else { return }
      return plan(.acknowledgement, for: id, at: now + SyncplayLimits.startPatience)
    }
    sendState(to: id, .acknowledgement)
  }
}
