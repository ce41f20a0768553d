import GroupSessions
import Playback
import Vocabulary
import Wire

// Messages of the coordinator to the lobby's peers, and what a session's events mean for clients.

extension SyncplayLobby {
  mutating func hear(_ message: ServerMessage, _ audience: Peers) {
    switch message {
    case .group(let group):
      guard let name = roster.roomDirectory.room(of: group.id) else { return }
      if roster.rooms[name]?.people.map({ $0.seq < group.seq }) ?? true { take(group, in: name) }
      startSession(in: name)
    case .groupEvent(let group, let seq, _, let event):
      guard let name = roster.roomDirectory.room(of: group),
        roster.rooms[name]?.people?.seq == seq - 1
      else { return }
      roster.rooms[name]?.people?.evolve(event)
      follow(event, in: name)
      startSession(in: name)
    case .eligibility:
      for id in audience {
        if let name = roster.roomDirectory.room(keptBy: id) { startSession(in: name) }
      }
    case .offer(let offer): take(offer, audience)
    case .snapshot(let snapshot): for id in audience { take(snapshot, by: id) }
    case .event(let session, let seq, let at, let event):
      apply(event, seq: seq, at: at, to: session)
    case .withheld(let session, let seq):
      let nothing = SessionEvent.messageSent(
        .nothing, to: .only([]), by: ParticipantID(roster.options.serverName))
      apply(nothing, seq: seq, at: roster.now, to: session)
    case .answer(let number, let answer): for id in audience { take(answer, to: number, of: id) }
    case .error(let number?, let error): for id in audience { take(error, to: number, of: id) }
    default: break
    }
  }

  // MARK: The group

  private mutating func take(_ group: Group, in name: String) {
    roster.rooms[name]?.people = group
    for member in group.members.values { admit(member, to: name) }
    for device in guests(of: name) where group.members[device] == nil {
      dismiss(device, from: name)
    }
  }

  private mutating func follow(_ event: GroupEvent, in name: String) {
    switch event {
    case .memberJoined(let member): admit(member, to: name)
    case .memberLeft(let device, _): dismiss(device, from: name)
    case .userRemoved(let user):
      for member in roster.rooms[name]?.members ?? []
      where roster.peers[member]?.user.map({ roster.identifiers.user(named: $0.name) }) == user {
        close(member, .removed(room: name))
      }
    case .sessionEnded(let session):
      if roster.rooms[name]?.live == session { forget(session, in: name) }
    case .closed: close(name)
    default: break
    }
  }

  /// Hangs up on a room's clients, because its group was closed, and closes the room.
  private mutating func close(_ name: String) {
    // The room is not kept for the list of the session, which is over with its group.
    if let live = roster.rooms[name]?.live { forget(live, in: name) }
    for device in guests(of: name) { dismiss(device, from: name) }
    for member in roster.rooms[name]?.members ?? [] { close(member, .closed(room: name)) }
    if let room = roster.rooms[name] { close(room) }
  }

  // MARK: The session

  private mutating func take(_ offer: Offer, _ audience: Peers) {
    guard let name = roster.roomDirectory.room(of: offer.group), !offer.isStaged else { return }
    if let old = roster.rooms[name]?.live, old != offer.session { roster.roomDirectory.remove(old) }
    if roster.rooms[name]?.live != offer.session { roster.rooms[name]?.mirror(nil) }
    roster.rooms[name]?.live = offer.session
    roster.roomDirectory.add(offer.session, in: name)
    for id in audience {
      if roster.roomDirectory.room(keptBy: id) != nil {
        enterSession(asKeeperOf: name)
      } else {
        enterSession(id)
      }
    }
  }

  /// Joins the session of a peer's room as the peer, unless it has joined already.
  mutating func enterSession(_ id: PeerID) {
    guard let room = roster.room(of: id), let live = room.live,
      let membership = roster.peers[id]?.membership,
      membership.group == room.group, membership.session != live
    else { return }
    let request = roster.ask(.join(live, handoffFrom: nil), as: id)
    roster.peers[id]?.membership.enter(live, by: request)
  }

  private mutating func take(_ snapshot: SessionSnapshot, by id: PeerID) {
    guard let name = roster.roomDirectory.room(of: snapshot.session.id),
      roster.roomDirectory.room(keptBy: id) == name
    else { return }
    roster.rooms[name]?.mirror(snapshot.session)
    if roster.rooms[name]?.isEmpty == true, isKept(name) {
      roster.rooms[name]?.closes = nil
    }
    roster.fillQueue(of: name)
    roster.adopt(name)
    for member in roster.rooms[name]?.members ?? [] {
      settleIn(member)
      roster.agree(on: member)
    }
    tell(of: guests(of: name), in: name)
    roster.carryOutWishes(in: name)
    tellRoom(name, .seek, by: nil)
  }

  /// Forgets a session that is over; the room starts another one.
  mutating func forget(_ session: SessionID, in name: String) {
    roster.roomDirectory.remove(session)
    roster.rooms[name]?.live = nil
    roster.rooms[name]?.mirror(nil)
    roster.rooms[name]?.keeper.leaveSession()
    for member in roster.rooms[name]?.members ?? [] {
      roster.peers[member]?.membership.leaveSession()
    }
    tell(of: guests(of: name), in: name)
  }

  // MARK: Answers

  private mutating func take(_ answer: Answer, to number: RequestID, of id: PeerID) {
    if let name = roster.roomDirectory.room(keptBy: id) {
      roster.rooms[name]?.keeper.finish(number)
      return roster.finishPlaylistChange(number, of: id, in: name)
    }
    if case .joined(let session, let participant) = answer {
      takePart(id, in: session, as: participant)
    }
    let purpose = roster.peers.change(id) { $0?.membership.finish(number) }
    settle(number, of: id)
    switch purpose {
    case .leaveGroup: joinGroup(id)
    case .steer: acknowledgeSteering(by: id)
    case .enterGroup, .enterSession, nil: break
    }
  }

  private mutating func take(_ error: ProtocolError, to number: RequestID, of id: PeerID) {
    let isTemporary = error.retryAfter != nil
    if let name = roster.roomDirectory.room(keptBy: id) {
      roster.rooms[name]?.keeper.refuse(number, isTemporary: isTemporary, at: roster.now)
      roster.finishPlaylistChange(number, of: id, in: name)
      return arm(room: name)
    }
    // Only joins are refused so: a host removed the person, who came back.
    if [.banned, .removed].contains(error.code), let room = roster.peers[id]?.user?.room {
      return close(id, .removed(room: room))
    }
    // What is refused here, but for steering, is asked for again at the next periodic State.
    let purpose = roster.peers.change(id) {
      $0?.membership.refuse(number, isTemporary: isTemporary)
    }
    settle(number, of: id)
    switch purpose {
    case .leaveGroup where !isTemporary: joinGroup(id)
    case .steer: plan(.correction, for: id, at: roster.now)
    case .enterGroup, .leaveGroup, .enterSession, nil: break
    }
  }

  private mutating func takePart(
    _ id: PeerID, in session: SessionID, as participant: ParticipantID
  ) {
    guard roster.peers[id]?.membership.session == session else { return }
    roster.peers[id]?.membership.takePart(as: participant)
    settleIn(id)
    roster.repeatReadiness(of: id)
    for request in roster.peers[id]?.membership.takeWaiting() ?? [] {
      roster.askSession(request, as: id)
    }
    if let room = roster.peers[id]?.user?.room { roster.carryOutWishes(in: room) }
    if let file = roster.peers[id]?.user?.file, roster.makesItem(id),
      let media = roster.media(of: file)
    {
      roster.propose(media, by: id)
    }
  }

  /// Gives a client that takes part its role and its place in the film, which the device that it had
  /// before a restart of the server leaves.
  ///
  /// The old device leaves last: until then it keeps the film running.
  private mutating func settleIn(_ id: PeerID) {
    promote(id)
    roster.attach(id)
    guard let user = roster.peers[id]?.user, roster.peers[id]?.membership.participant != nil,
      let people = roster.rooms[user.room]?.people
    else { return }
    let identity = roster.identifiers.user(named: user.name)
    for device in people.lost.keys
    where SyncplayIdentifiers.isClient(device) && people.members[device]?.user == identity {
      roster.outputs.append(.abandon(device))
    }
  }

  /// Records that a peer's request on a list or on readiness was answered.
  private mutating func settle(_ number: RequestID, of id: PeerID) {
    if let room = roster.peers[id]?.user?.room {
      roster.finishPlaylistChange(number, of: id, in: room)
    }
    roster.settleWord(number, of: id)
  }

  /// Tells a client that has steered where its room is now.
  private mutating func acknowledgeSteering(by id: PeerID) {
    guard let room = roster.room(of: id), roster.peers[id]?.plan == nil else { return }
    // A room about to start is not paused: its State follows with the start if the start is soon.
    if case .preparing? = room.timeline?.phase {
      guard roster.isHeldUp(room) else { return }
      return plan(.acknowledgement, for: id, at: roster.now + SyncplayLimits.startPatience)
    }
    sendState(to: id, .acknowledgement)
  }
}

// MARK: Events

extension SyncplayLobby {
  mutating func apply(_ event: SessionEvent, seq: Int, at instant: Instant, to id: SessionID) {
    // The session is changed in place, because changing it while a copy exists would copy all its
    // participants.
    guard let name = roster.roomDirectory.room(of: id), roster.rooms[name]?.session?.seq == seq - 1
    else { return }
    let before = roster.rooms[name]?.item
    let timing = event.opensFile && before == SyncplayRoom.clock ? self.timing(in: name) : nil
    let guests = guests(concernedBy: event, in: name)
    roster.rooms[name]?.evolve(event, at: instant)
    follow(event, in: name)
    tell(of: guests, in: name)
    if roster.rooms[name]?.session != nil, roster.rooms[name]?.item != before {
      follow(newItemIn: name, timing)
    }
  }

  /// The position of a room's clock, for the item that takes its place.
  private func timing(in name: String) -> ProposedTiming? {
    guard let room = roster.rooms[name], room.timeline != nil else { return nil }
    return ProposedTiming(
      mediaTime: .seconds(room.place(at: roster.now)), rate: room.isPaused ? nil : room.rate)
  }

  private mutating func follow(_ event: SessionEvent, in name: String) {
    switch event {
    case .left(let participant, let reason): forget(participant, reason, in: name)
    case .roleSet(let participant, let role, _):
      note(role, of: participant, in: name)
      // The new operator may propose the file that they opened before.
      if role == .host { roster.adopt(name) }
    case .readinessSet(let participant, let isReady, let setter):
      roster.followReadiness(isReady, of: participant, by: setter, in: name)
    case .ended: if let live = roster.rooms[name]?.live { forget(live, in: name) }
    case .messageSent(let payload, .all, let sender): hear(payload, from: sender, in: name)
    case .queue(.selected, let selector):
      if let selector { noteSelection(by: selector, in: name) }
      removeHidden(in: name)
      roster.tellPlaylist(in: name, by: selector.flatMap { roster.name(of: $0, in: name) })
    case .queue(_, let editor):
      roster.tellPlaylist(in: name, by: editor.flatMap { roster.name(of: $0, in: name) })
    case .activitySet(_, _, let setter):
      roster.tellPlaylist(in: name, by: roster.name(of: setter, in: name))
    case .playback(let event): follow(event, in: name)
    default: break
    }
  }

  private mutating func follow(_ event: PlaybackEvent, in name: String) {
    guard let room = roster.rooms[name] else { return }
    switch event {
    case .timelineSet(room.item, _, let rate, let action, let setter):
      announce(rate, in: name)
      // The first item of a fresh room moves no player.
      if action == .propose, room.isAtStart(at: roster.now) { return }
      if action != .propose, let setter { noteSetter(setter, in: name) }
      tellRoom(name, action, by: setter)
    case .itemAdvanced(let old, room.item, _, let rate):
      announce(rate, in: name)
      roster.awaitFiles(in: room, after: old)
      tellRoom(name, .seek, by: nil)
    case .itemSelected(room.item, _): roster.answerReady(in: name)
    case .suspensionBegan(let participant, _, _, isImposed: true):
      // A user who has another file open, or cannot find the file, may steer as well.
      guard let member = roster.member(participant, in: name), let timeline = room.timeline,
        let loading = roster.peers[member]?.user?.loading
      else { return }
      roster.peers[member]?.user?.loading = loading.givenUp
      roster.peers[member]?.readySeq = 0
      roster.answerReady(member, to: timeline.seq, in: room)
    case .readied: roster.answerReady(in: name)
    default: break
    }
  }

  /// Makes a new item current for all clients.
  private mutating func follow(newItemIn name: String, _ timing: ProposedTiming?) {
    let members = roster.rooms[name]?.members ?? []
    for member in members { roster.peers[member]?.user?.hasSwitched = false }
    // The session takes a position only with the first transition, and only from somebody who may
    // steer.
    let first = timing == nil ? nil : members.first { maySteer($0, in: name) }
    if let first { roster.attach(first, timing) }
    for member in members where member != first { roster.attach(member, timing) }
  }

  private func maySteer(_ id: PeerID, in name: String) -> Bool {
    guard let participant = roster.peers[id]?.membership.participant else { return false }
    return roster.rooms[name]?.session?.permits(participant, .controlPlayback) == true
  }

  private mutating func noteSetter(_ participant: ParticipantID, in name: String) {
    guard let setter = roster.name(of: participant, in: name) else { return }
    roster.rooms[name]?.setBy = setter
  }

  private mutating func noteSelection(by participant: ParticipantID, in name: String) {
    let selector = roster.name(of: participant, in: name) ?? roster.options.serverName
    roster.rooms[name]?.playlist.noteSelection(by: selector)
  }

  /// Removes the entry that was taken out of the list while it was current.
  private mutating func removeHidden(in name: String) {
    guard let room = roster.rooms[name], let queue = room.session?.queue,
      let hidden = room.playlist.removable(from: queue)
    else { return }
    roster.ask(.queue(nil, .remove(hidden)), asKeeperOf: name)
  }

  private mutating func hear(_ payload: JSONText, from sender: ParticipantID, in name: String) {
    guard roster.options.allowsChat, let room = roster.rooms[name],
      let speaker = roster.name(of: sender, in: name),
      let text = ChatLine.text(of: payload)
    else { return }
    roster.tellChat(
      text.truncated(toCodePoints: roster.options.maximumChatLength), from: speaker,
      to: room.members)
  }

  /// Announces once that clients cannot play at the room's rate.
  private mutating func announce(_ rate: Rate, in name: String) {
    guard let room = roster.rooms[name], room.announcedRate != rate else { return }
    roster.rooms[name]?.announcedRate = rate
    guard rate != .normal else { return }
    roster.tellChat(
      "The others play at \(rate.factor)×. Syncplay cannot: you are taken along by a jump every"
        + " \(DriftWatch.interval / 1_000_000) seconds.",
      from: roster.options.serverName, to: room.members)
  }

  /// Records that a peer left the session; a peer that a host removed must not rejoin by itself.
  private mutating func forget(
    _ participant: ParticipantID, _ reason: LeaveReason, in name: String
  ) {
    guard let member = roster.member(participant, in: name) else { return }
    roster.peers[member]?.membership.leaveSession()
    if case .removed = reason {
      close(member, .removed(room: name))
    }
  }

  /// Makes hosts of a managed room operators.
  private mutating func note(_ role: Role, of participant: ParticipantID, in name: String) {
    guard roster.rooms[name]?.managed != nil, let member = roster.member(participant, in: name),
      let user = roster.peers[member]?.user, user.isOperator != (role == .host)
    else { return }
    roster.peers[member]?.user?.isOperator = role == .host
    if role == .host { roster.tellAuthorization(of: user.name, true, in: name) }
  }
}

extension SessionEvent {
  /// Whether the item may change because a file was opened.
  fileprivate var opensFile: Bool {
    if case .activitySet = self { true } else { false }
  }
}
