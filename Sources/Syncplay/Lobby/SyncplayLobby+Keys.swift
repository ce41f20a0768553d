import Vocabulary

// Rooms with keys, which people type as the server's password.
//
// The coordinator knows the keys, so that each is asked for. A key opens its own room alone: whoever
// is in stays there when another room is asked for.

extension SyncplayLobby {
  /// Asks whether a client's password is a room's key.
  mutating func knock(at room: String, _ id: PeerID, with password: String) {
    let group = RoomName.group(of: room, limits: roster.limits)
    roster.outputs.append(.knock(id, room: room, group, password: password))
  }

  /// Lets a client into a room whose key it has; another client is hung up on, or stays in the room
  /// that it is in.
  mutating func enter(_ room: String, _ id: PeerID, isKey: Bool) {
    guard roster.isHere(id) else { return }
    // Keys are random, so guesses of them are not limited.
    guard let hello = hellos.removeValue(forKey: id) else {
      return isKey ? moveIn(id, to: room) : keepIn(id, insteadOf: room)
    }
    guard isKey else { return close(id, .wrongPassword) }
    admit(hello, id)
    roster.peers[id]?.user?.password = hello.password
  }

  /// Tells a client that it stays in its room.
  ///
  /// A client takes itself for a member of the room that it asks for. Its player goes on as it was,
  /// so it is not moved.
  private mutating func keepIn(_ id: PeerID, insteadOf wanted: String) {
    guard let user = roster.peers[id]?.user, let room = roster.rooms[user.room] else { return }
    roster.send(.set(.room(room.name)), to: id)
    roster.send(.set(.user(user.name, room: room.name)), to: id)
    roster.sendPlaylist(of: room, to: [id])
    explain(
      "“\(wanted)” has another key, or none. Connect again with its key as the password.", to: id)
  }

  /// Tells a client that it cannot make a managed room, because nobody would have the room's key.
  mutating func refuseManaged(to id: PeerID) {
    tellAuthorization(of: id, false, to: [id])
    explain("A key opens one room, so no managed room can be made here.", to: id)
  }

  private mutating func explain(_ reason: String, to id: PeerID) {
    roster.tellChat(reason, from: roster.options.serverName, to: [id])
  }
}
