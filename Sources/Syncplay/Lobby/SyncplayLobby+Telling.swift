import GroupSessions
import Vocabulary
import Wire

// What clients are told of people: news, chat, Lists, and readiness.
//
// A client is told no news before those that arose earlier.
//
// The session is the truth about readiness. A client's word is told to its room at once, as the
// reference does, and sent to the session. What the session says is told unless a newer word of a
// client is under way; so nothing is told twice, and everybody ends with the session's last word. A
// word is older than the client's place in the session and goes with the client from room to room;
// the client says it as soon as it takes part. `null`, which the reference's clients never say, is
// told to the room and not sent to the session.

extension SyncplayLobby {
  mutating func send(_ message: SyncplayServerMessage, to id: PeerID) {
    catchUp(id)
    outputs.append(.send(message, to: .one(id)))
  }

  mutating func send(_ message: SyncplayServerMessage, to audience: [PeerID]) {
    guard !audience.isEmpty else { return }
    guard audience.count > 1 else { return send(message, to: audience[0]) }
    publishBulletin()
    outputs.append(.send(message, to: .many(audience)))
  }

  /// Tells of what somebody does, which changes nothing for other people's players.
  ///
  /// - Parameter id: whoever is not told, since they know.
  mutating func spread(
    _ news: SyncplayNews, to audience: Bulletin.Audience, but id: PeerID? = nil
  ) {
    let count =
      switch audience {
      case .everybody: greeted.count
      case .room(let name): rooms[name]?.members.count ?? 0
      }
    guard count > attentiveAudience else {
      return send(.set(news), to: peers(of: audience).filter { $0 != id })
    }
    if let id { catchUp(id) }
    bulletin.append(news, for: audience, by: tick(after: now))
    if let id { bulletin.skip(id) }
    if bulletin.isFull { publishBulletin() }
  }

  /// Those who are told of what people in a room do.
  func audience(of room: String) -> Bulletin.Audience {
    options.isolatesRooms ? .room(room) : .everybody
  }

  /// Who is in an audience now.
  func peers(of audience: Bulletin.Audience) -> [PeerID] {
    switch audience {
    case .everybody: greeted.all
    case .room(let name): rooms[name]?.members ?? []
    }
  }

  /// Tells a peer the news that it does not know.
  mutating func catchUp(_ id: PeerID) {
    guard !bulletin.isEmpty, let room = peers[id]?.user?.room else { return }
    for entry in bulletin.entries[(bulletin.known(to: id) ?? 0)...] where entry.isFor(room) {
      outputs.append(.send(.set(entry.news), to: .one(id)))
    }
    bulletin.skip(id)
  }

  /// Tells everybody the news that they do not know.
  mutating func publishBulletin() {
    guard !bulletin.isEmpty else { return }
    let edition = bulletin
    bulletin = Bulletin()
    tellRest(of: edition)
    let special = edition.rooms
    for room in special.sorted() { tell(edition, of: room, to: rooms[room]?.members ?? []) }
    let others =
      special.isEmpty
      ? greeted.all : greeted.all.filter { !special.contains(peers[$0]?.user?.room ?? "") }
    tell(edition, of: nil, to: others)
  }

  /// Tells those who know nothing of it what is for their room.
  private mutating func tell(_ edition: Bulletin, of room: String?, to audience: [PeerID]) {
    let news = edition.entries.filter { $0.isFor(room) }.map(\.news)
    let others = audience.filter { edition.known(to: $0) == nil }
    guard !news.isEmpty, !others.isEmpty else { return }
    outputs.append(.post(news, to: .many(others)))
  }

  /// Tells those who know a part of it the rest: each entry once for all of them.
  private mutating func tellRest(of edition: Bulletin) {
    guard !edition.knowing.isEmpty else { return }
    for (place, entry) in edition.entries.enumerated() {
      let others = edition.knowing.filter { id in
        (edition.known(to: id) ?? 0) <= place && entry.isFor(peers[id]?.user?.room)
      }
      guard !others.isEmpty else { continue }
      outputs.append(.post([entry.news], to: .many(others)))
    }
  }
}

// MARK: Chat and Lists

extension SyncplayLobby {
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
    let users = room.members.compactMap { peers[$0]?.user.map(SyncplayListedRoom.User.init) }
    let guests = room.guests.values.map {
      SyncplayListedRoom.User($0, fileNameCodePoints: options.maximumFileNameLength)
    }
    return SyncplayListedRoom(name: name, users: users + guests)
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

// MARK: Readiness

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
    } else if let isReady, let guest = room.guest(named: name) {
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
    if let id = greeted[device] {
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
    guard let device = room.session?.participants[setter]?.device, let other = greeted[device]
    else { return false }
    return peers[other]?.membership.word?.subject == id
  }

  /// A peer's request was answered: if it was its last word on readiness, what the session says
  /// holds from here on.
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
