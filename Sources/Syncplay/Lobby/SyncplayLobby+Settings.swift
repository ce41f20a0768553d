import GroupSessions
import Playback
import Vocabulary
import Wire

// What clients set, and what they ask.

extension SyncplayLobby {
  mutating func take(_ setting: SyncplaySetting, from id: PeerID) {
    switch setting {
    case .room(let name): move(id, to: name)
    case .file(let file): open(file, by: id)
    case .controllerAuth(let room, let password): authorize(id, room, password)
    case .ready(let isReady, let isManual, let name): note(isReady, isManual, of: name, by: id)
    case .playlist(let files): replacePlaylist(with: files, by: id)
    case .playlistIndex(let index): select(index, by: id)
    case .features(let features): peers[id]?.user?.features = features
    }
  }

  // MARK: Moving

  private mutating func move(_ id: PeerID, to wanted: String) {
    let name = RoomName.truncated(wanted, options: options)
    guard let old = peers[id]?.user, old.room != name else { return }
    catchUp(id)
    desert(old.room, id, hadFile: old.file != nil)
    leaveGroup(id)
    peers[id]?.user?.room = name
    peers[id]?.user?.isOperator = false
    peers[id]?.plan = nil
    peers[id]?.place = nil
    enter(name, id)
    // The timer begins anew, and the client is sent to where the room is.
    sendState(to: id, nil)
    goOn(id)
    sendState(to: id, .seek)
    announceMove(of: id, from: old.room)
    if let room = rooms[name] { sendPlaylist(of: room, to: [id]) }
  }

  private mutating func announceMove(of id: PeerID, from old: String) {
    guard let user = peers[id]?.user else { return }
    if options.isolatesRooms {
      let left = SyncplayNews.user(user.name, room: user.room, event: .left)
      spread(left, to: .room(old))
      send(.set(left), to: id)
    }
    spread(
      .user(user.name, room: user.room, file: options.isolatesRooms ? user.file?.text : nil),
      to: audience(of: user.room))
    spread(.ready(user.name, user.isReady, isManual: false), to: .room(user.room))
  }

  /// The group has to be left, and that answered, before another can be joined.
  private mutating func leaveGroup(_ id: PeerID) {
    peers[id]?.membership.leaveSession()
    guard peers[id]?.membership.group != nil else { return }
    peers[id]?.membership.group = nil
    let request = ask(.leaveGroup, as: id)
    peers[id]?.membership.leaving = request
  }

  // MARK: Chat

  /// What somebody says becomes a message of the session, for all who are in it.
  mutating func relay(_ text: String, from id: PeerID) {
    guard options.allowsChat else { return }
    let text = text.truncated(toCodePoints: options.maximumChatLength)
    guard !text.isEmpty else { return }
    askSession(.send(nil, ChatLine.payload(text), to: .all), as: id)
  }

  /// Tells a line of chat to those whose clients know chat.
  mutating func tellChat(_ text: String, from name: String, to audience: [PeerID]) {
    let able = audience.filter { id in
      guard let version = peers[id]?.user?.version else { return false }
      return SyncplayVersion(version) >= .chat
    }
    send(.chat(from: name, text), to: able)
  }

  // MARK: Who is there

  /// Tells a client who is where, with its own room first, which is not cut off a long list.
  mutating func sendList(to id: PeerID) {
    guard let own = peers[id]?.user?.room else { return }
    var listed = [listing(of: own)]
    if !options.isolatesRooms {
      for name in rooms.keys.sorted() where name != own && rooms[name]?.isEmpty == false {
        listed.append(listing(of: name))
      }
      if peers[id]?.user?.features.contains(.graphical) == true { listed += emptyRooms(but: own) }
    }
    send(.list(listed), to: id)
  }

  private func listing(of name: String) -> SyncplayListedRoom {
    guard let room = rooms[name] else { return SyncplayListedRoom(name: name, users: []) }
    var users = room.members.compactMap { member -> SyncplayListedRoom.User? in
      guard let user = peers[member]?.user else { return nil }
      return SyncplayListedRoom.User(
        name: user.name, file: user.file?.text, isOperator: user.isOperator, isReady: user.isReady,
        features: user.features)
    }
    for guest in room.guests.values {
      users.append(
        SyncplayListedRoom.User(
          name: guest.name,
          file: guest.film?.text(nameCodePoints: options.maximumFileNameLength),
          isOperator: guest.isOperator, isReady: guest.isReady, features: nil))
    }
    return SyncplayListedRoom(name: name, users: users)
  }

  /// Rooms that are kept although nobody is there have somebody in them, whose name is of spaces:
  /// that is how clients know them.
  private func emptyRooms(but own: String) -> [SyncplayListedRoom] {
    let kept = rooms.keys.filter { name in
      guard let room = rooms[name] else { return false }
      return room.isEmpty && room.closes == nil
    }
    let names = Set(kept + options.permanentRooms).subtracting([own]).sorted()
      .filter { rooms[$0]?.isEmpty != false }
    return names.enumerated().map { number, name in
      let nobody = SyncplayListedRoom.User(
        name: String(repeating: " ", count: number + 1), file: nil, isOperator: false,
        isReady: true,
        features: nil)
      return SyncplayListedRoom(name: name, users: [nobody])
    }
  }
}
