import GroupSessions
import Vocabulary
import Wire

// Managed rooms: who gives the password is a host.

extension SyncplayLobby {
  /// Whether a peer may steer its room, as far as Syncplay's own rule goes.
  func mayControl(_ id: PeerID) -> Bool {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return false }
    return room.managed == nil || user.isOperator
  }

  mutating func authorize(_ id: PeerID, _ named: String?, _ password: String) {
    guard let user = peers[id]?.user else { return }
    let wanted = named.map { $0.strippedOfSpace } ?? user.room
    guard let managed = ManagedRoom(wanted) else {
      return makeManaged(wanted, password, by: id)
    }
    // What is checked and what is steered must be the same room.
    guard wanted == user.room, ManagedRoom.isPassword(password) else {
      return tellAuthorization(of: id, false, to: rooms[user.room]?.members ?? [])
    }
    guard guesses.take(by: peers[id]?.address ?? "", at: now) else {
      return tellAuthorization(of: id, false, to: [id])
    }
    let isRight = managed.accepts(password, salt: options.salt)
    if isRight {
      guesses.forgive(peers[id]?.address ?? "")
      peers[id]?.user?.isOperator = true
      promote(id)
    }
    tellAuthorization(of: id, isRight, to: peers(of: audience(of: user.room)))
  }

  private mutating func tellAuthorization(of id: PeerID, _ isSuccess: Bool, to audience: [PeerID]) {
    guard let user = peers[id]?.user else { return }
    let news = SyncplayNews.controllerAuth(
      user: user.name, room: user.room, isSuccess: isSuccess)
    send(.set(news), to: audience)
  }

  /// Names the managed room that a base and a password make; the client goes there by itself.
  private mutating func makeManaged(_ base: String, _ password: String, by id: PeerID) {
    guard ManagedRoom.isPassword(password),
      base.codePointCount + ManagedRoom.overhead <= options.maximumRoomNameLength
    else { return tellAuthorization(of: id, false, to: room(of: id)?.members ?? []) }
    let room = ManagedRoom(base: base, password: password, salt: options.salt)
    send(.set(.newControlledRoom(name: room.name, password: password)), to: id)
  }

  /// Has a room's keeper make a peer a host, once it takes part.
  mutating func promote(_ id: PeerID) {
    guard let user = peers[id]?.user, user.isOperator,
      let participant = peers[id]?.membership.participant
    else { return }
    ask(.setRole(nil, participant, .host), asKeeperOf: user.room)
  }
}
