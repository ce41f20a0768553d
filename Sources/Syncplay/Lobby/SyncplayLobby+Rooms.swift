import GroupSessions
import JSON
import Playback
package import Vocabulary
import Wire

// Rooms and their keepers.
//
// A room's keeper is a peer of the coordinator without a connection. It comes before the first
// client and leaves after the last one. It receives the group's events once for all clients in the
// room. It starts the session, which one person alone could not. As the session's host, it makes
// the operators of a managed room hosts. It also speaks for the server.

extension SyncplayLobby {
  /// The user of all keepers.
  package static let keeper = SyncplayIdentifiers.keeper

  /// Adds a client to a room; the room opens with its first client.
  mutating func enter(_ name: String, _ id: PeerID) {
    if roster.rooms[name] == nil {
      open(name)
    } else if roster.rooms[name]?.isEmpty == true {
      fill(name, with: id)
    }
    let isAlive = roster.rooms[name]?.hasFiles == true
    roster.rooms[name]?.enter(id, hasFile: roster.peers[id]?.user?.file != nil)
    roster.peers[id]?.user?.roomPlace = roster.rooms.place(of: name)
    roster.peers[id]?.arrival = isAlive ? Arrival(since: roster.now) : nil
    joinGroup(id)
  }

  private mutating func open(_ name: String) {
    let room = SyncplayRoom(
      name: name, group: RoomName.group(of: name, limits: roster.limits),
      keeper: roster.identifiers.keeper(of: name))
    roster.rooms[name] = room
    roster.roomDirectory.add(room)
    wantKeeper(of: room)
  }

  mutating func wantKeeper(of room: SyncplayRoom) {
    roster.outputs.append(.reserve(room: room.name, device: room.keeper.device))
  }

  /// Opens the rooms that were open before the server stopped, so that clients can come back.
  ///
  /// A room whose name is too long for a group's identifier opens with its first client.
  mutating func reopen(_ groups: [GroupID]) {
    for name in groups.map(\.text)
    where roster.rooms[name] == nil && RoomName.group(of: name, limits: roster.limits).text == name
    {
      open(name)
      roster.rooms[name]?.closes = roster.now + SyncplayLimits.roomGrace
      arm(room: name)
      noteEmpty(name)
    }
  }

  /// Records the peer that was reserved to keep a room.
  mutating func keep(_ name: String, by id: PeerID, _ resumption: Resumption?) {
    guard let room = roster.rooms[name], room.keeper.peer == nil else { return }
    roster.rooms[name]?.keeper.begin(as: id, resuming: resumption, at: roster.now)
    roster.roomDirectory.add(keeper: id, of: name)
    roster.outputs.append(.connect(id))
    var hello = Hello(
      user: Self.keeper, device: room.keeper.device, name: roster.options.serverName,
      isKeeper: true, features: [.sessions])
    hello.resume = resumption
    roster.outputs.append(.tell(id, .hello(hello)))
    if let session = resumption?.session {
      roster.rooms[name]?.live = session
      roster.roomDirectory.add(session, in: name)
    }
    joinGroup(asKeeperOf: name)
    for member in room.members { joinGroup(member) }
    schedulePing(asKeeperOf: name)
    arm(room: name)
  }

  /// Sends a keeper's ping when it is due.
  mutating func ping(asKeeperOf name: String) {
    guard let keeper = roster.rooms[name]?.keeper, let peer = keeper.peer,
      let due = keeper.nextPing, due <= roster.now
    else { return }
    schedulePing(asKeeperOf: name)
    let sent = HostTime(microseconds: roster.now.microseconds)
    roster.outputs.append(.tell(peer, .ping(Ping(sent: sent))))
  }

  private mutating func schedulePing(asKeeperOf name: String) {
    roster.rooms[name]?.keeper.schedulePing(at: roster.now + roster.limits.idleDeadline / 4)
  }

  /// Asks again for what a keeper was refused, because its room would otherwise have no session.
  mutating func askAgain(asKeeperOf name: String) {
    guard roster.rooms[name]?.keeper.takeAttempt(at: roster.now) == true else { return }
    joinGroup(asKeeperOf: name)
    enterSession(asKeeperOf: name)
    startSession(in: name)
    for member in roster.rooms[name]?.members ?? [] { promote(member) }
  }

  private mutating func joinGroup(asKeeperOf name: String) {
    guard let room = roster.rooms[name], room.keeper.group == nil,
      let request = roster.ask(.joinGroup(room.group), asKeeperOf: name)
    else { return }
    roster.rooms[name]?.keeper.enter(room.group, by: request)
  }

  /// Joins a room's session as its keeper, unless it has joined already.
  mutating func enterSession(asKeeperOf name: String) {
    guard let room = roster.rooms[name], let live = room.live, room.keeper.session != live,
      let request = roster.ask(.join(live, handoffFrom: nil), asKeeperOf: name)
    else { return }
    roster.rooms[name]?.keeper.enter(live, by: request)
  }

  /// Joins the group of a peer's room.
  ///
  /// A peer that was refused to leave another group asks for that again instead.
  mutating func joinGroup(_ id: PeerID) {
    guard let room = roster.room(of: id), room.keeper.peer != nil,
      let membership = roster.peers[id]?.membership, membership.group == nil
    else { return }
    guard !membership.isLeaving else { return leaveGroup(id) }
    let request = roster.ask(.joinGroup(room.group), as: id)
    roster.peers[id]?.membership.enter(room.group, by: request)
  }

  /// Leaves the group; the next group can be joined once the request is answered.
  mutating func leaveGroup(_ id: PeerID) {
    guard roster.peers[id]?.membership.hasGroupToLeave == true else { return }
    let request = roster.ask(.leaveGroup, as: id)
    roster.peers[id]?.membership.leaveGroup(by: request)
  }

  /// Starts the room's session once it is eligible.
  mutating func startSession(in name: String) {
    guard let room = roster.rooms[name], let people = room.people, people.session == nil,
      room.live == nil, !room.members.isEmpty, !room.keeper.isSteering,
      people.eligibility(of: room.keeper.device, limits: roster.limits) == .eligible
    else { return }
    let activity = GroupActivity(
      type: "syncplay", payload: .nothing,
      metadata: GroupActivityMetadata(type: .watchTogether, title: roster.title(name)), media: nil)
    let activation = Activation(
      activity, control: room.managed == nil ? .everyone : .hostsOnly, dismissalPolicy: .leavesOnly)
    let request = roster.ask(.activate(activation), asKeeperOf: name)
    roster.rooms[name]?.keeper.steer(by: request)
  }

  /// Marks an empty room as occupied again.
  mutating func fill(_ name: String, with id: PeerID?) {
    let wasKept = roster.rooms[name]?.closes == nil
    roster.rooms[name]?.closes = nil
    roster.roomDirectory.noteFilled(name)
    if wasKept { tellKeptRooms(but: id) }
    arm(room: name)
  }

  /// Removes a client from a room.
  mutating func desert(_ name: String, _ id: PeerID, hadFile: Bool) {
    roster.rooms[name]?.leave(id, hadFile: hadFile)
    roster.abandonPlaylistChange(of: id, in: name)
    closeLater(name, after: id)
  }

  /// Closes an empty room after a delay, because its last client may return; kept rooms stay open.
  mutating func closeLater(_ name: String, after id: PeerID?) {
    guard roster.rooms[name]?.isEmpty == true else { return }
    defer { noteEmpty(name) }
    if isKept(name) { return tellKeptRooms(but: id) }
    roster.rooms[name]?.closes = roster.now + SyncplayLimits.roomGrace
    arm(room: name)
  }

  /// Records an empty room; if there are too many, the one that has been empty longest closes.
  private mutating func noteEmpty(_ name: String) {
    guard !roster.options.permanentRooms.contains(name) else { return }
    if let oldest = roster.roomDirectory.noteEmpty(name), let room = roster.rooms[oldest] {
      close(room)
    }
  }

  /// Sends graphical clients a List when the empty kept rooms change, because they request it only
  /// at their start.
  ///
  /// The reference sends everybody a List at each change, which takes quadratic time in the number
  /// of clients.
  private mutating func tellKeptRooms(but id: PeerID?) {
    guard roster.options.keepsRooms, !roster.options.isolatesRooms else { return }
    for other in roster.clientDirectory.greeted
    where other != id && roster.peers[other]?.user?.features.contains(.graphical) == true {
      roster.sendList(to: other)
    }
  }

  func isKept(_ name: String) -> Bool {
    if roster.options.permanentRooms.contains(name) { return true }
    guard roster.options.keepsRooms, !RoomName.isTemporary(name) else { return false }
    return roster.rooms[name]?.entries.isEmpty == false
  }

  /// Closes a room to which nobody returned in time.
  mutating func closeIfDeserted(_ name: String) {
    guard let room = roster.rooms[name], room.isEmpty, let due = room.closes, due <= roster.now
    else {
      return
    }
    close(room)
  }

  mutating func close(_ room: SyncplayRoom) {
    if let keeper = room.keeper.peer {
      roster.ask(.leaveGroup, asKeeperOf: room.name)
      roster.outputs.append(.disconnect(keeper))
    }
    roster.roomDirectory.remove(room)
    roster.rooms[room.name] = nil
  }
}

extension JSONText {
  /// No payload.
  static let nothing = JSONText(validated: "null")
}

// MARK: Guests

// A guest is a user in a room with another client than Syncplay's. A guest stores what Syncplay's
// clients were told about the user. Changes of the session are compared with it, so that a List
// always matches what clients were told.

extension SyncplayLobby {
  /// Adds a guest under a unique name, because clients identify users by name.
  mutating func admit(_ member: Member, to name: String) {
    guard roster.clientDirectory.peer(on: member.device) == nil, let room = roster.rooms[name],
      member.device != room.keeper.device, room.guests[member.device] == nil,
      !SyncplayIdentifiers.isClient(member.device)
    else { return }
    let guest = roster.clientDirectory.claimName(
      member.name, maximum: roster.options.maximumUsernameLength)
    if room.isEmpty { fill(name, with: nil) }
    roster.rooms[name]?.guests[member.device] = SyncplayGuest(name: guest)
    let features: SyncplayFeatures = [
      .sharedPlaylists, .chat, .featureList, .readiness, .managedRooms, .setOthersReadiness,
    ]
    let joined = SyncplayNews.user(
      guest, room: name, event: .joined(version: roster.options.version, features))
    roster.spread(joined, to: roster.audience(of: name))
    tell(of: [member.device], in: name)
  }

  /// Removes a guest.
  mutating func dismiss(_ device: DeviceID, from name: String) {
    guard let guest = roster.rooms[name]?.guests.removeValue(forKey: device) else { return }
    roster.clientDirectory.releaseName(guest.name)
    roster.spread(.user(guest.name, room: name, event: .left), to: roster.audience(of: name))
    closeLater(name, after: nil)
  }

  /// The guests that an event may change.
  ///
  /// It is called before the event is applied, because a participant who leaves cannot be found
  /// afterwards. Most events concern at most one guest, so comparing all guests at each event would
  /// be wasteful.
  func guests(concernedBy event: SessionEvent, in name: String) -> [DeviceID] {
    guard roster.rooms[name]?.guests.isEmpty == false else { return [] }
    let device: DeviceID?
    switch event {
    case .joined(let participant): device = participant.device
    case .left(let id, _), .roleSet(let id, _, _), .readinessSet(let id, _, _),
      .playback(.itemSelected(_, let id)), .playback(.durationDoubted(_, _, let id)),
      .playback(.suspensionBegan(let id, _, _, _)), .playback(.suspensionEnded(let id, _)):
      device = roster.rooms[name]?.session?.participants[id]?.device
    case .activitySet, .playback(.itemAdvanced), .playback(.durationLearned),
      .playback(.timelineDropped):
      return guests(of: name)
    default: return []
    }
    guard let device, roster.rooms[name]?.guests[device] != nil else { return [] }
    return [device]
  }

  /// All guests of a room.
  func guests(of name: String) -> [DeviceID] { roster.rooms[name]?.guests.keys.map { $0 } ?? [] }

  /// Tells clients what has changed about guests.
  mutating func tell(of guests: [DeviceID], in name: String) {
    guard !guests.isEmpty, let room = roster.rooms[name] else { return }
    for device in guests {
      guard let guest = room.guests[device] else { continue }
      let participant = room.session?.participant(on: device)
      let film = participant.flatMap { self.film(of: $0.id, in: room) }
      if film != guest.film {
        roster.rooms[name]?.guests[device]?.film = film
        let file = film?.text(nameCodePoints: roster.options.maximumFileNameLength) ?? .noFile
        roster.spread(.user(guest.name, room: name, file: file), to: roster.audience(of: name))
      }
      let isReady = roster.options.allowsReadiness ? participant?.isReadyToStart : nil
      if isReady != guest.isReady {
        roster.rooms[name]?.guests[device]?.isReady = isReady
        roster.tellReadiness(of: guest.name, isReady, false, in: room)
      }
      let isOperator = room.managed != nil && participant?.role == .host
      if isOperator != guest.isOperator {
        roster.rooms[name]?.guests[device]?.isOperator = isOperator
        // The protocol has no message that revokes operator rights.
        if isOperator { roster.tellAuthorization(of: guest.name, true, in: name) }
      }
    }
  }

  private func film(of participant: ParticipantID, in room: SyncplayRoom) -> SyncplayGuest.Film? {
    guard let session = room.session, let state = session.playback.participants[participant],
      let item = state.item, item != SyncplayRoom.clock, !lacksItem(state)
    else { return nil }
    let timeline = session.playback.timelines[item]
    let own = timeline.flatMap { ownLength(of: participant, in: $0) }
    let media = session.activity.media
    return SyncplayGuest.Film(
      item: item, size: media?.item == item && own == nil ? media?.size : nil,
      length: own ?? timeline?.duration ?? .zero)
  }

  /// Whether a participant said that the item cannot be played before it ever was ready for it, so
  /// that it has nothing open.
  private func lacksItem(_ participant: CoordinatedParticipant) -> Bool {
    participant.readySeq == 0
      && participant.suspensions.contains { $0.reason == .coordinatedPlaybackNotPossible }
  }

  /// The length of a participant's own copy if it differs from the item's.
  private func ownLength(of participant: ParticipantID, in timeline: Timeline) -> Duration? {
    guard let own = timeline.doubts[participant], let believed = timeline.duration,
      (own - believed).magnitude > Timeline.lengthTolerance
    else { return nil }
    return own
  }
}

extension JSONText {
  /// No file is open.
  static let noFile = JSONText(validated: "{}")
}
