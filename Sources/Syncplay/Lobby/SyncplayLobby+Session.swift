import GroupSessions
import Playback
import Vocabulary
import Wire

// What the coordinator sends to the lobby's peers: groups, sessions, and answers.

extension SyncplayLobby {
  mutating func hear(_ message: ServerMessage, _ audience: Peers) {
    switch message {
    case .group(let group):
      guard let name = index[group.id] else { return }
      if rooms[name]?.people.map({ $0.seq < group.seq }) ?? true { take(group, in: name) }
      startSession(in: name)
    case .groupEvent(let group, let seq, _, let event):
      guard let name = index[group], rooms[name]?.people?.seq == seq - 1
      else { return }
      rooms[name]?.people?.evolve(event)
      follow(event, in: name)
      startSession(in: name)
    case .eligibility: for id in audience { if let name = index[id] { startSession(in: name) } }
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
    guard let name = index[offer.group], !offer.isStaged else { return }
    if let old = rooms[name]?.live, old != offer.session { index[old] = nil }
    if rooms[name]?.live != offer.session { rooms[name]?.mirror(nil) }
    rooms[name]?.live = offer.session
    index[offer.session] = name
    for id in audience {
      if index[id] != nil { enterSessionAsKeeper(of: name) } else { enterSession(id) }
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
    guard let name = index[snapshot.session.id], index[id] == name else { return }
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
    index[session] = nil
    rooms[name]?.live = nil
    rooms[name]?.mirror(nil)
    rooms[name]?.keeperMembership.leaveSession()
    for member in rooms[name]?.members ?? [] { peers[member]?.membership.leaveSession() }
    tell(of: guests(of: name), in: name)
  }

  // MARK: Answers

  private mutating func take(_ answer: Answer, to number: RequestID, of id: PeerID) {
    if let name = index[id] {
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
    if let name = index[id] {
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

// MARK: Events of the session

extension SyncplayLobby {
  mutating func apply(_ event: SessionEvent, seq: Int, at instant: Instant, to id: SessionID) {
    // Looked at where it lies: evolving a session of which a copy is held copies all its people.
    guard let name = index[id], rooms[name]?.session?.seq == seq - 1 else { return }
    let before = rooms[name]?.item
    let timing =
      event.opensFile && before == SyncplayRoom.clock ? rooms[name]?.timing(at: now) : nil
    let guests = rooms[name]?.guests(concernedBy: event) ?? []
    rooms[name]?.evolve(event, at: instant)
    follow(event, in: name)
    tell(of: guests, in: name)
    if rooms[name]?.session != nil, rooms[name]?.item != before { follow(newItemIn: name, timing) }
  }

  private mutating func follow(_ event: SessionEvent, in name: String) {
    switch event {
    case .left(let participant, let reason): forget(participant, reason, in: name)
    case .roleSet(let participant, let role, _):
      note(role, of: participant, in: name)
      // Who had a file open before they were known as an operator may propose it now.
      if role == .host { adopt(name) }
    case .readinessSet(let participant, let isReady, let setter):
      follow(isReady, of: participant, by: setter, in: name)
    case .ended: if let live = rooms[name]?.live { forget(live, in: name) }
    case .messageSent(let payload, .all, let sender): hear(payload, from: sender, in: name)
    case .queue(.selected, let selector):
      if let selector { noteSelection(by: selector, in: name) }
      removeHidden(in: name)
      tellPlaylist(in: name, by: selector.flatMap { self.name(of: $0, in: name) })
    case .queue(_, let editor):
      tellPlaylist(in: name, by: editor.flatMap { self.name(of: $0, in: name) })
    case .activitySet(_, _, let setter):
      tellPlaylist(in: name, by: self.name(of: setter, in: name))
    case .playback(let event): follow(event, in: name)
    default: break
    }
  }

  private mutating func follow(_ event: PlaybackEvent, in name: String) {
    guard let room = rooms[name] else { return }
    switch event {
    case .timelineSet(room.item, _, let rate, let action, let setter):
      announce(rate, in: name)
      // That somebody brought an item to a fresh room is no news.
      if action == .propose, room.isAtStart(at: now) { return }
      if action != .propose, let setter { noteSetter(setter, in: name) }
      tellRoom(name, action, by: setter)
    case .itemAdvanced(_, room.item, _, let rate):
      announce(rate, in: name)
      for member in room.members where peers[member]?.user?.file != nil {
        let file = peers[member]?.user?.file?.name
        peers[member]?.user?.hasLoaded = file == SyncplayRoom.name(of: room.item)
      }
      tellRoom(name, .seek, by: nil)
    case .itemSelected(room.item, _): answerReady(in: name)
    case .suspensionBegan(let participant, _, _, isImposed: true):
      // Whoever has something else open, or cannot find it, may steer all the same.
      guard let member = member(participant, in: name), let timeline = room.timeline else { return }
      peers[member]?.user?.hasLoaded = true
      peers[member]?.readySeq = 0
      answerReady(member, to: timeline.seq, in: room)
    case .readied: answerReady(in: name)
    default: break
    }
  }

  /// Another item is on: everybody goes over to it.
  private mutating func follow(newItemIn name: String, _ timing: ProposedTiming?) {
    for member in rooms[name]?.members ?? [] {
      peers[member]?.user?.hasSwitched = false
      attach(member, timing)
    }
  }

  private mutating func noteSetter(_ participant: ParticipantID, in name: String) {
    guard let setter = self.name(of: participant, in: name) else { return }
    rooms[name]?.setBy = setter
  }

  private mutating func noteSelection(by participant: ParticipantID, in name: String) {
    let selector = self.name(of: participant, in: name)
    rooms[name]?.indexBy = selector
  }

  /// The entry that was taken out of the list while it was on goes now.
  private mutating func removeHidden(in name: String) {
    guard let hidden = rooms[name]?.hidden, rooms[name]?.session?.queue.current != hidden else {
      return
    }
    rooms[name]?.hidden = nil
    ask(.queue(nil, .remove(hidden)), asKeeperOf: name)
  }

  private mutating func hear(_ payload: JSONText, from sender: ParticipantID, in name: String) {
    guard options.allowsChat, let room = rooms[name], let speaker = self.name(of: sender, in: name),
      let text = ChatLine.text(of: payload)
    else { return }
    tellChat(
      text.truncated(toCodePoints: options.maximumChatLength), from: speaker, to: room.members)
  }

  /// Says once that clients cannot play as fast as the room does.
  private mutating func announce(_ rate: Rate, in name: String) {
    guard let room = rooms[name], room.announcedRate != rate else { return }
    rooms[name]?.announcedRate = rate
    guard rate != .normal else { return }
    tellChat(
      "The others play at \(rate.factor)×. Syncplay cannot: you are taken along by a jump every"
        + " \(DriftWatch.interval / 1_000_000) seconds.",
      from: options.serverName, to: room.members)
  }

  /// A peer is no longer in the session; one whom a host removed is not to come back by itself.
  private mutating func forget(
    _ participant: ParticipantID, _ reason: LeaveReason, in name: String
  ) {
    guard let member = member(participant, in: name) else { return }
    peers[member]?.membership.leaveSession()
    if case .removed = reason {
      close(member, .refused("A host removed you from the room \(name)."))
    }
  }

  /// Hosts of a managed room are its operators, whoever made them so.
  private mutating func note(_ role: Role, of participant: ParticipantID, in name: String) {
    guard rooms[name]?.managed != nil, let member = member(participant, in: name),
      let user = peers[member]?.user, user.isOperator != (role == .host)
    else { return }
    peers[member]?.user?.isOperator = role == .host
    guard role == .host else { return }
    let news = SyncplayNews.controllerAuth(user: user.name, room: name, isSuccess: true)
    send(.set(news), to: peers(of: audience(of: name)))
  }

  private func member(_ participant: ParticipantID, in name: String) -> PeerID? {
    rooms[name]?.members.first { peers[$0]?.membership.participant == participant }
  }

  /// How somebody who takes part is called by Syncplay's clients.
  func name(of participant: ParticipantID, in name: String) -> String? {
    guard let room = rooms[name], let device = room.session?.participants[participant]?.device
    else { return nil }
    if let id = greeted[device] { return peers[id]?.user?.name }
    return room.guests[device]?.name
  }
}

extension SessionEvent {
  /// Whether what is watched changes because somebody opened something, rather than went on.
  fileprivate var opensFile: Bool {
    if case .activitySet = self { true } else { false }
  }
}
