import GroupSessions
import JSON
import Playback
package import Vocabulary
import Wire

// Rooms, their keepers, and guests: people in a room without a client of Syncplay.
//
// A room's keeper is a peer of the coordinator without a connection. It comes before the first
// client and goes after the last one. It hears the group and the session for all clients in the
// room; it starts the session, which one person alone cannot; it is a host, and so makes operators
// hosts; and it speaks for the server.
//
// The lobby stores what clients were told of each guest, and compares it with the session, so that
// news and Lists always agree.

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
    index[room.group] = name
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
    index[id] = name
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
    index[session] = name
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
    emptyRooms.remove(name)
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
    if let oldest = emptyRooms.append(name), let room = rooms[oldest] { close(room) }
  }

  /// Graphical clients list the empty rooms that are kept, and ask for them at their start only.
  ///
  /// Only where those change: a List for everybody at each step of anybody, as the reference sends
  /// it, grows with the square of the people.
  private mutating func tellKeptRooms(but id: PeerID?) {
    guard options.keepsRooms, !options.isolatesRooms else { return }
    for other in greeted.all
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
    emptyRooms.remove(room.name)
    if let keeper = room.keeper {
      ask(.leaveGroup, asKeeperOf: room.name)
      outputs.append(.disconnect(keeper))
      index[keeper] = nil
    }
    if let live = room.live { index[live] = nil }
    index[room.group] = nil
    rooms[room.name] = nil
  }
}

extension JSONText {
  /// No payload.
  static let nothing = JSONText(validated: "null")
}

// MARK: Guests

extension SyncplayLobby {
  /// Somebody who is here by other means gets a name that nobody else has, since clients know
  /// people by their names.
  mutating func admit(_ member: Member, to name: String) {
    guard greeted[member.device] == nil, let room = rooms[name],
      member.device != room.keeperMembership.device, room.guests[member.device] == nil,
      !SyncplayIdentifiers.isClient(member.device)
    else { return }
    let guest = greeted.claim(member.name, maximum: options.maximumUsernameLength)
    if room.isEmpty { fill(name, with: nil) }
    rooms[name]?.guests[member.device] = SyncplayGuest(name: guest)
    let features: SyncplayFeatures = [
      .sharedPlaylists, .chat, .featureList, .readiness, .managedRooms, .setOthersReadiness,
    ]
    let joined = SyncplayNews.user(
      guest, room: name, event: .joined(version: options.version, features))
    spread(joined, to: audience(of: name))
    tell(of: [member.device], in: name)
  }

  /// Somebody goes who was here by other means.
  mutating func dismiss(_ device: DeviceID, from name: String) {
    guard let guest = rooms[name]?.guests.removeValue(forKey: device) else { return }
    greeted.release(guest.name)
    spread(.user(guest.name, room: name, event: .left), to: audience(of: name))
    closeLater(name, after: nil)
  }

  /// All who are in a room by other means.
  func guests(of name: String) -> [DeviceID] { rooms[name]?.guests.keys.map { $0 } ?? [] }

  /// Tells what has changed with those who are here by other means.
  mutating func tell(of guests: [DeviceID], in name: String) {
    guard !guests.isEmpty, let room = rooms[name] else { return }
    for device in guests {
      guard let guest = room.guests[device] else { continue }
      let participant = room.session?.participant(on: device)
      let film = participant.flatMap { room.film(of: $0.id) }
      if film != guest.film {
        rooms[name]?.guests[device]?.film = film
        let file = film?.text(nameCodePoints: options.maximumFileNameLength) ?? .noFile
        spread(.user(guest.name, room: name, file: file), to: audience(of: name))
      }
      let isReady = options.allowsReadiness ? participant?.isReadyToStart : nil
      if isReady != guest.isReady {
        rooms[name]?.guests[device]?.isReady = isReady
        tellReadiness(of: guest.name, isReady, false, in: room)
      }
      let isOperator = room.managed != nil && participant?.role == .host
      if isOperator != guest.isOperator {
        rooms[name]?.guests[device]?.isOperator = isOperator
        // That somebody is one no longer, the protocol cannot say.
        guard isOperator else { continue }
        let news = SyncplayNews.controllerAuth(user: guest.name, room: name, isSuccess: true)
        send(.set(news), to: peers(of: audience(of: name)))
      }
    }
  }
}

extension JSONText {
  /// Nothing is open.
  static let noFile = JSONText(validated: "{}")
}
