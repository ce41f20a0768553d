import GroupSessions
import Vocabulary
import Wire

// Who is ready to watch.
//
// What the session says is the truth: a client's word is told to its room at once, as the reference
// does, and asked of the session, whose own words are told unless a newer one of a client is under
// way; so nothing is told twice, and all end at what the session said last.
//
// A client's word is older than its place in the session, and goes with it from room to room; it is
// said there as soon as the client takes part. `null`, which no client of the reference's says, is told
// to the room, and not passed on to the session.

extension SyncplayLobby {
  /// A client says that somebody is ready, or is not: itself where nobody is named.
  mutating func note(_ isReady: Bool?, _ isManual: Bool, of name: String?, by id: PeerID) {
    guard options.allowsReadiness, let setter = peers[id]?.user, let room = rooms[setter.room]
    else { return }
    guard let name, name != setter.name else {
      put(isReady, of: id, by: id)
      return tellReadiness(of: setter.name, isReady, isManual, in: room)
    }
    guard mayControl(id) else { return }
    if let other = room.members.first(where: { peers[$0]?.user?.name == name }) {
      put(isReady, of: other, by: id)
      tellReadiness(of: name, isReady, isManual, setBy: setter.name, in: room)
    } else if let isReady, let guest = guest(named: name, in: room) {
      // Told when the session says so.
      askSession(.setReadyToStart(nil, isReady, of: guest), as: id)
    }
  }

  /// Has a peer say in the session that it has just joined what it said before.
  mutating func repeatReadiness(of id: PeerID) { put(peers[id]?.user?.isReady, of: id, by: id) }

  /// Keeps what is said of a peer, and asks it of the session if the peer is in it.
  private mutating func put(_ isReady: Bool?, of id: PeerID, by setter: PeerID) {
    peers[id]?.user?.isReady = isReady
    guard let isReady, let participant = peers[id]?.membership.participant else { return }
    // For a setter who is not in the session yet the peer says it itself.
    let speaker = peers[setter]?.membership.participant == nil ? id : setter
    let other = speaker == id ? nil : participant
    let request = ask(.setReadyToStart(nil, isReady, of: other), as: speaker)
    peers[speaker]?.membership.word = ReadinessWord(subject: id, request: request)
  }

  private func guest(named name: String, in room: SyncplayRoom) -> ParticipantID? {
    room.guests.first { $0.value.name == name }
      .flatMap { room.session?.participant(on: $0.key)?.id }
  }
}

// MARK: What the session says

extension SyncplayLobby {
  /// Somebody said that a participant is ready, or is not.
  mutating func follow(
    _ isReady: Bool, of participant: ParticipantID, by setter: ParticipantID, in name: String
  ) {
    guard options.allowsReadiness, let room = rooms[name],
      let device = room.session?.participants[participant]?.device,
      let called = self.name(of: participant, in: name)
    else { return }
    if let id = devices[device] {
      // Who has moved on takes their newest word along.
      guard let user = peers[id]?.user, user.room == name, user.isReady != isReady,
        !isWordUnderWay(of: id, by: setter, in: room)
      else { return }
      peers[id]?.user?.isReady = isReady
    } else {
      rooms[name]?.guests[device]?.isReady = isReady
    }
    let other = setter == participant ? nil : self.name(of: setter, in: name)
    tellReadiness(of: called, isReady, true, setBy: other, in: room)
  }

  /// Whether whom a word of the session is about, or who said it, has said a newer one since.
  private func isWordUnderWay(
    of id: PeerID, by setter: ParticipantID, in room: SyncplayRoom
  ) -> Bool {
    if peers[id]?.membership.word?.subject == id { return true }
    guard let device = room.session?.participants[setter]?.device, let other = devices[device]
    else { return false }
    return peers[other]?.membership.word?.subject == id
  }

  /// A peer's request was answered: if it was its last word on readiness, what the session says holds
  /// from here on.
  mutating func settleWord(_ number: RequestID, of id: PeerID) {
    guard let word = peers[id]?.membership.word, word.request == number else { return }
    peers[id]?.membership.word = nil
    agree(on: word.subject)
  }

  /// Has a room told what the session says of a peer, if that is something else than it was told.
  mutating func agree(on id: PeerID) {
    guard options.allowsReadiness, let user = peers[id]?.user,
      let participant = peers[id]?.membership.participant, peers[id]?.membership.word == nil,
      let room = rooms[user.room],
      let isReady = room.session?.participants[participant]?.isReadyToStart,
      isReady != user.isReady
    else { return }
    peers[id]?.user?.isReady = isReady
    tellReadiness(of: user.name, isReady, false, in: room)
  }
}

// MARK: Telling

extension SyncplayLobby {
  /// Tells a room's clients whether somebody is ready; old ones, which would take it for that one's
  /// own word, are told in the chat, too, who said so.
  mutating func tellReadiness(
    of name: String, _ isReady: Bool?, _ isManual: Bool, setBy setter: String? = nil,
    in room: SyncplayRoom
  ) {
    spread(.ready(name, isReady, isManual: isManual, setBy: setter), to: .room(room.name))
    guard let setter else { return }
    let old = room.members.filter {
      peers[$0]?.user?.features.contains(.setOthersReadiness) == false
    }
    let word = isReady == true ? "ready" : "not ready"
    tellChat("I have set \(name) as \(word).", from: setter, to: old)
  }
}
