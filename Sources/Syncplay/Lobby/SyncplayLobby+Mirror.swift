import GroupSessions
import Playback
import Vocabulary
import Wire

// What an event of the session means for those who are in it by Syncplay.

extension SyncplayLobby {
  mutating func apply(_ event: SessionEvent, seq: Int, at instant: Instant, to id: SessionID) {
    // Looked at where it lies: evolving a session of which a copy is held copies all its people.
    guard let name = roomsBySession[id], rooms[name]?.session?.seq == seq - 1 else { return }
    let before = rooms[name]?.item
    let timing = event.opensFile && before == SyncplayRoom.clock ? self.timing(in: name) : nil
    let guests = guests(concernedBy: event, in: name)
    rooms[name]?.evolve(event, at: instant)
    follow(event, in: name)
    tell(of: guests, in: name)
    if rooms[name]?.session != nil, rooms[name]?.item != before { follow(newItemIn: name, timing) }
  }

  /// Where a room's clock stands, for the item that takes its place.
  private func timing(in name: String) -> ProposedTiming? {
    guard let room = rooms[name], room.timeline != nil else { return nil }
    return ProposedTiming(
      mediaTime: .seconds(room.place(at: now)), rate: room.isPaused ? nil : room.rate)
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
      if action == .propose, isAtStart(room) { return }
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

  private func isAtStart(_ room: SyncplayRoom) -> Bool {
    room.isPaused && room.place(at: now) == 0
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
    if let id = devices[device] { return peers[id]?.user?.name }
    return room.guests[device]?.name
  }
}

extension SessionEvent {
  /// Whether what is watched changes because somebody opened something, rather than went on.
  fileprivate var opensFile: Bool {
    if case .activitySet = self { true } else { false }
  }
}
