import GroupSessions
import Vocabulary
import Wire

// Who is ready to watch.
//
// The session decides. What a client says is told to its room at once, as the reference does, and
// requested of the session. What the session says is told to the room unless a newer request of a
// client is under way. So nothing is told twice, and all clients end at what the session said last.
//
// A client may say that it is ready before it takes part in the session, and keeps that when it
// moves to another room: it is requested as soon as the client takes part. `null`, which no client
// of the reference sends, is told to the room and not requested of the session.

extension SyncplayRoster {
  /// A client says that somebody is ready or not: itself if `name` is `nil`.
  mutating func setReadiness(_ isReady: Bool?, _ isManual: Bool, of name: String?, by id: PeerID) {
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
      // The room is told when the session says so.
      askSession(.setReadyToStart(nil, isReady, of: guest), as: id)
    }
  }

  /// Repeats a peer's readiness in the session that it has just joined.
  mutating func repeatReadiness(of id: PeerID) { put(peers[id]?.user?.isReady, of: id, by: id) }

  /// Stores a peer's readiness, and requests it of the session if the peer takes part.
  private mutating func put(_ isReady: Bool?, of id: PeerID, by setter: PeerID) {
    peers[id]?.user?.isReady = isReady
    guard let isReady, let participant = peers[id]?.membership.participant else { return }
    // If the setter does not take part yet, the request is made as the peer.
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

extension SyncplayRoster {
  /// The session says that a participant is ready or not.
  mutating func followReadiness(
    _ isReady: Bool, of participant: ParticipantID, by setter: ParticipantID, in name: String
  ) {
    guard options.allowsReadiness, let room = rooms[name],
      let device = room.session?.participants[participant]?.device,
      let called = self.name(of: participant, in: name)
    else { return }
    if let id = clientDirectory.peer(on: device) {
      // A client that has moved to another room keeps what it said last.
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

  /// Whether a newer request on a client is under way, of the client itself or of the setter.
  private func isWordUnderWay(
    of id: PeerID, by setter: ParticipantID, in room: SyncplayRoom
  ) -> Bool {
    if peers[id]?.membership.word?.subject == id { return true }
    guard let device = room.session?.participants[setter]?.device,
      let other = clientDirectory.peer(on: device)
    else { return false }
    return peers[other]?.membership.word?.subject == id
  }

  /// A peer's request was answered: if it was its last one on readiness, the session's word holds
  /// from here on.
  mutating func settleWord(_ number: RequestID, of id: PeerID) {
    guard let word = peers[id]?.membership.word, word.request == number else { return }
    peers[id]?.membership.word = nil
    agree(on: word.subject)
  }

  /// Tells a room what the session says of a peer, if that differs from what the room was told.
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

extension SyncplayRoster {
  /// Tells a room's clients whether somebody is ready.
  ///
  /// Old clients cannot show who else set it, so they are told in the chat, too.
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
