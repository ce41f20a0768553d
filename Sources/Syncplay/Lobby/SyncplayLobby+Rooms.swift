import GroupSessions
import Playback
package import Vocabulary
import Wire

// Rooms and their keepers.
//
// A room's keeper is a peer of the coordinator without a connection. It is there before the first
// client and goes after the last one; it hears of all that happens there, once for all who are in
// the room; it starts the session, since one person alone could not; it is its host, and so gives
// the role to those who know a managed room's password; and it speaks for the server.

extension SyncplayLobby {
  /// As whom keepers say hello.
  package static let keeper = SyncplayIdentifiers.keeper

  /// Takes a peer into a room, which opens with its first one.
  mutating func enter(_ name: String, _ id: PeerID) {
    if rooms[name] == nil {
      open(name)
    } else if rooms[name]?.isEmpty == true {
      fill(name, with: id)
    }
    let isAlive = rooms[name]?.hasFiles == true
    rooms[name]?.enter(id, hasFile: peers[id]?.user?.file != nil)
    peers[id]?.user?.roomPlace = rooms.place(of: name)
    peers[id]?.arrival = isAlive ? Arrival(since: now) : nil
    joinGroup(id)
  }

  private mutating func open(_ name: String) {
    let room = SyncplayRoom(
      name: name, group: RoomName.group(of: name, limits: limits),
      keeper: identifiers.keeper(of: name))
    rooms[name] = room
    roomsByGroup[room.group] = name
    wantKeeper(of: room)
  }

  mutating func wantKeeper(of room: SyncplayRoom) {
    outputs.append(.reserve(room: room.name, device: room.keeperMembership.device))
  }

  /// Opens the rooms that were there before the server stopped, for whoever comes back in time.
  ///
  /// One whose name is too long for a group opens with its first client, and goes on from there.
  mutating func reopen(_ groups: [GroupID]) {
    for name in groups.map(\.text)
    where rooms[name] == nil && RoomName.group(of: name, limits: limits).text == name {
      open(name)
      rooms[name]?.closes = now + SyncplayLimits.roomGrace
      arm(room: name)
      noteEmpty(name)
    }
  }

  /// A peer is there to keep a room.
  mutating func keep(_ name: String, by id: PeerID, _ resumption: Resumption?) {
    guard let room = rooms[name], room.keeper == nil else { return }
    rooms[name]?.keeper = id
    keepers[id] = name
    outputs.append(.connect(id))
    var hello = Hello(
      user: Self.keeper, device: room.keeperMembership.device, name: options.serverName,
      isKeeper: true, features: [.sessions])
    hello.resume = resumption
    outputs.append(.tell(id, .hello(hello)))
    if let resumption { goOn(as: resumption, keeping: name) }
    rooms[name]?.keeperMembership.group = room.group
    ask(.joinGroup(room.group), asKeeperOf: name)
    for member in room.members { joinGroup(member) }
    rooms[name]?.nextPing = now + limits.idleDeadline / 4
    arm(room: name)
  }

  /// A keeper is who it was: it takes part in the session still, and has asked much already.
  private mutating func goOn(as resumption: Resumption, keeping name: String) {
    rooms[name]?.keeperMembership.goOn(from: RequestID(now.microseconds), in: resumption.session)
    guard let session = resumption.session else { return }
    rooms[name]?.live = session
    roomsBySession[session] = name
  }

  /// A keeper has little to say and is there all the same.
  mutating func ping(asKeeperOf name: String) {
    guard let keeper = rooms[name]?.keeper, let due = rooms[name]?.nextPing, due <= now else {
      return
    }
    rooms[name]?.nextPing = now + limits.idleDeadline / 4
    outputs.append(.tell(keeper, .ping(Ping(sent: HostTime(microseconds: now.microseconds)))))
  }

  /// Has a peer join the group of its room, unless it still has to leave another's.
  mutating func joinGroup(_ id: PeerID) {
    guard let room = room(of: id), room.keeper != nil, let membership = peers[id]?.membership,
      membership.group == nil, membership.leaving == nil
    else { return }
    peers[id]?.membership.group = room.group
    ask(.joinGroup(room.group), as: id)
  }

  /// Starts the room's session once there is somebody to share it with.
  mutating func startSession(in name: String) {
    guard let room = rooms[name], let people = room.people, people.session == nil,
      room.live == nil, !room.members.isEmpty, room.keeperMembership.steering == nil,
      people.eligibility(of: room.keeperMembership.device, limits: limits) == .eligible
    else { return }
    let activity = GroupActivity(
      type: "syncplay", payload: .nothing,
      metadata: GroupActivityMetadata(kind: "watchTogether", title: title(name)), media: nil)
    let activation = Activation(
      activity, control: room.managed == nil ? .everyone : .hostsOnly, dismissalPolicy: .leavesOnly)
    let request = ask(.activate(activation), asKeeperOf: name)
    rooms[name]?.keeperMembership.steering = request
  }

  /// A title that the coordinator takes, for a room or a file of that name.
  func title(_ text: String) -> String {
    (text.isEmpty ? options.serverName : text).truncated(toBytes: limits.titleBytes)
  }

  /// Somebody comes to a room that was empty.
  mutating func fill(_ name: String, with id: PeerID?) {
    let wasKept = rooms[name]?.closes == nil
    rooms[name]?.closes = nil
    emptyRooms.removeAll { $0 == name }
    if wasKept { tellKeptRooms(but: id) }
    arm(room: name)
  }

  /// A peer is no longer in a room.
  mutating func desert(_ name: String, _ id: PeerID, hadFile: Bool) {
    rooms[name]?.leave(id, hadFile: hadFile)
    closeLater(name, after: id)
  }

  /// A room outlives its last one for a while, who may be back; and those that are kept, for good.
  mutating func closeLater(_ name: String, after id: PeerID?) {
    guard rooms[name]?.isEmpty == true else { return }
    defer { noteEmpty(name) }
    if isKept(name) {
      pauseAsKeeper(of: name)
      return tellKeptRooms(but: id)
    }
    rooms[name]?.closes = now + SyncplayLimits.roomGrace
    arm(room: name)
  }

  /// Nobody is in a room any more; where there are too many such, the one left longest ago goes.
  private mutating func noteEmpty(_ name: String) {
    guard !options.permanentRooms.contains(name) else { return }
    emptyRooms.append(name)
    guard emptyRooms.count > SyncplayLimits.emptyRooms else { return }
    if let room = rooms[emptyRooms[0]] { close(room) }
  }

  /// Graphical clients list the empty rooms that are kept, and ask for them at their start only.
  ///
  /// Only where those change: a List for everybody at each step of anybody, as the reference sends
  /// it, grows with the square of the people.
  private mutating func tellKeptRooms(but id: PeerID?) {
    guard options.keepsRooms, !options.isolatesRooms else { return }
    for other in greeted
    where other != id && peers[other]?.user?.features.contains(.graphical) == true {
      sendList(to: other)
    }
  }

  /// What is kept without anybody to watch it stands still.
  mutating func pauseAsKeeper(of name: String) {
    guard let room = rooms[name], !room.isPaused else { return }
    ask(.playback(nil, .pause(room.item)), asKeeperOf: name)
  }

  func isKept(_ name: String) -> Bool {
    if options.permanentRooms.contains(name) { return true }
    guard options.keepsRooms, !RoomName.isTemporary(name) else { return false }
    return rooms[name]?.entries.isEmpty == false
  }

  /// Closes a room that nobody came back to.
  mutating func closeIfDeserted(_ name: String) {
    guard let room = rooms[name], room.isEmpty, let due = room.closes, due <= now else { return }
    close(room)
  }

  private mutating func close(_ room: SyncplayRoom) {
    emptyRooms.removeAll { $0 == room.name }
    if let keeper = room.keeper {
      ask(.leaveGroup, asKeeperOf: room.name)
      outputs.append(.disconnect(keeper))
      keepers[keeper] = nil
    }
    if let live = room.live { roomsBySession[live] = nil }
    roomsByGroup[room.group] = nil
    rooms[room.name] = nil
  }
}

extension JSONText {
  /// No payload.
  static let nothing = JSONText(validated: "null")
}
