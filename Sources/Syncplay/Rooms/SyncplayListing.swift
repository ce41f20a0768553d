import Vocabulary

/// Builds Lists of rooms and their users.
struct SyncplayListing {
  let options: SyncplayOptions
  let rooms: PagedTable<String, SyncplayRoom>
  let peers: PeerPages<SyncplayPeer>

  /// The rooms that a client sees, with its own first, so that it is never cut off a long List.
  func rooms(for user: SyncplayUser) -> [SyncplayListedRoom] {
    var listed = [room(user.room)]
    guard !options.isolatesRooms else { return listed }
    for name in rooms.keys.sorted() where name != user.room && rooms[name]?.isEmpty == false {
      listed.append(room(name))
    }
    if user.features.contains(.graphical) { listed += emptyRooms(but: user.room) }
    return listed
  }

  private func room(_ name: String) -> SyncplayListedRoom {
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

  /// The rooms that are kept although nobody is in them; clients recognize them by a single user
  /// whose name consists of spaces.
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
        isReady: true, features: nil)
      return SyncplayListedRoom(name: name, users: [nobody])
    }
  }
}
