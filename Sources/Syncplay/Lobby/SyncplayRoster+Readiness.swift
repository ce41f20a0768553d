import GroupSessions
import Vocabulary
import Wire

// Who is ready to watch.
//
// The session decides. What a client sets is told to its room at once, as the reference does, and
// requested of the session. What the session reports is told to the room unless a newer request of
// a client is pending. So nothing is told twice, and all clients end up with the session's last
// state.
//
// A client may set its readiness before it takes part in the session, and keeps it when it moves to
// another room. It is requested of the session as soon as the client takes part. `null`, which the
// reference's clients never send, is told to the room and not requested of the session.

extension SyncplayRoster {
  /// Handles that a client sets a user's readiness; `name` is `nil` for its own.
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
      // The room is told when the session reports it.
      askSession(.setReadyToStart(nil, isReady, of: guest), as: id)
    }
  }

  /// Repeats a peer's readiness in the session that it has just joined.
  mutating func repeatReadiness(of id: PeerID) { put(peers[id]?.user?.isReady, of: id, by: id) }

  /// Stores a peer's readiness, and requests it of the session if the peer takes part.
  private mutating func put(_ isReady: Bool?, of id: PeerID, by setter: PeerID) {
    peers[id]?.user?.isReady = isReady
    guard let isReady, let participant = peers[id]?.membership.participant else { return }
    // If the setter does not take part yet, the request is made as the peer itself.
    let speaker = peers[setter]?.membership.participant == nil ? id : setter
    let other = speaker == id ? nil : participant
    let request = ask(.setReadyToStart(nil, isReady, of: other), as: speaker)
    peers[speaker]?.membership.say(ReadinessWord(subject: id, request: request))
  }

  private func guest(named name: String, in room: SyncplayRoom) -> ParticipantID? {
    room.guests.first { $0.value.name == name }
      .flatMap { room.session?.participant(on: $0.key)?.id }
  }
}

// MARK: Reports of the session

extension SyncplayRoster {
  /// Handles that the session reports a participant's readiness.
  mutating func followReadiness(
    _ isReady: Bool, of participant: ParticipantID, by setter: ParticipantID, in name: String
  ) {
    guard options.allowsReadiness, let room = rooms[name],
      let device = room.session?.participants[participant]?.device,
      let called = self.name(of: participant, in: name)
    else { return }
    if let id = clientDirectory.peer(on: device) {
      // A client that has moved to another room keeps the readiness that it set last.
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

  /// Whether a newer request about a client is pending, made by the client itself or by the setter.
  private func isWordUnderWay(
    of id: PeerID, by setter: ParticipantID, in room: SyncplayRoom
  ) -> Bool {
    if peers[id]?.membership.word?.subject == id { return true }
    guard let device = room.session?.participants[setter]?.device,
      let other = clientDirectory.peer(on: device)
    else { return false }
    return peers[other]?.membership.word?.subject == id
  }

  /// Records that a peer's request was answered; if it was its last one on readiness, the session's
  /// state applies from now on.
  mutating func settleWord(_ number: RequestID, of id: PeerID) {
    let word = peers.change(id) { $0?.membership.takeWord(number) }
    if let word { agree(on: word.subject) }
  }

  /// Tells a room the session's readiness of a peer, if the room was told something else.
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

// MARK: Messages to clients

extension SyncplayRoster {
  /// Tells a room's clients whether a user is ready.
  ///
  /// Old clients cannot show that another user set it, so they are also told in the chat.
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
