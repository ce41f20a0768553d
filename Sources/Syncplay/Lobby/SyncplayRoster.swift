import GroupSessions
import Vocabulary
import Wire

/// The clients and rooms of a lobby: who is in which room, which files they have open, and whether
/// they are ready.
///
/// It makes the requests to the coordinator, and all messages to clients except States.
struct SyncplayRoster: Sendable {
  let options: SyncplayOptions
  let limits: Limits
  var now = Instant(microseconds: 0)
  var peers = PeerPages<SyncplayPeer>()
  var rooms = PagedTable<String, SyncplayRoom>()
  var clientDirectory = ClientDirectory()
  var roomDirectory = RoomDirectory()
  var outputs: [SyncplayLobby.Output] = []
  var encoder = SyncplayLineEncoder()
  /// The largest audience that is told about users at once instead of through the bulletin.
  var attentiveAudience = SyncplayLimits.attentiveAudience
  private var bulletin = Bulletin()

  /// A roster without clients and rooms.
  init(_ options: SyncplayOptions, limits: Limits) {
    self.options = options
    self.limits = limits
  }

  var identifiers: SyncplayIdentifiers { SyncplayIdentifiers(limits: limits) }

  /// When the news held back have to be sent; `nil` if there are none.
  var newsDue: Instant? { bulletin.due }

  /// Marks all news as known to a client that has just come.
  mutating func skipNews(_ id: PeerID) { bulletin.skip(id) }

  /// Forgets a client that is gone.
  mutating func forgetNews(_ id: PeerID) { bulletin.forget(id) }
}

extension SyncplayRoster {
  /// A copy of the room that a peer is in; it is slow, so it is for rare events only.
  func room(of id: PeerID) -> SyncplayRoom? {
    rooms[at: place(ofRoomOf: id)]
  }

  /// Whether a client is connected.
  func isHere(_ id: PeerID) -> Bool { peers.place(of: id) != PeerPages<SyncplayPeer>.nowhere }

  /// The part of a peer's room that each State needs.
  mutating func look(atRoomOf id: PeerID) -> SyncplayRoom.View? {
    look(atRoomOf: id) { $0?.look() }
  }

  /// The position and phase of a peer's room.
  mutating func standing(ofRoomOf id: PeerID) -> Standing? {
    look(atRoomOf: id) { $0?.standing }
  }

  /// Reads a part of a peer's room in place.
  ///
  /// It is mutating because a method that does not mutate is called on a copy of the whole lobby.
  private mutating func look<Seen>(
    atRoomOf id: PeerID, _ see: (inout SyncplayRoom?) -> Seen?
  ) -> Seen? {
    let place = peers.change(id) { $0?.user?.roomPlace }
    guard let place = place ?? nil else { return nil }
    return rooms.change(at: place, see)
  }

  /// The index of a peer's room in the table.
  func place(ofRoomOf id: PeerID) -> UInt32 {
    peers[id]?.user?.roomPlace ?? PagedTable<String, SyncplayRoom>.nowhere
  }

  /// Makes a request to the coordinator as a peer.
  @discardableResult
  mutating func ask(_ request: Request, as id: PeerID) -> RequestID {
    guard let number = peers[id]?.membership.number() else { return 0 }
    outputs.append(.tell(id, .request(number, request)))
    return number
  }

  /// Makes a request to the session that a peer has joined or is about to join.
  @discardableResult
  mutating func askSession(_ request: Request, as id: PeerID) -> RequestID? {
    guard peers[id]?.membership.participant != nil else {
      peers[id]?.membership.keep(request)
      return nil
    }
    return ask(request, as: id)
  }

  /// Makes a request as a room's keeper.
  @discardableResult
  mutating func ask(_ request: Request, asKeeperOf room: String) -> RequestID? {
    guard let (keeper, number) = rooms[room]?.keeper.nextRequest() else { return nil }
    outputs.append(.tell(keeper, .request(number, request)))
    return number
  }

  /// The client that is this participant of a room's session.
  func member(_ participant: ParticipantID, in name: String) -> PeerID? {
    rooms[name]?.members.first { peers[$0]?.membership.participant == participant }
  }

  /// The name of a participant among Syncplay's clients.
  func name(of participant: ParticipantID, in name: String) -> String? {
    guard let room = rooms[name], let device = room.session?.participants[participant]?.device
    else { return nil }
    if let id = clientDirectory.peer(on: device) { return peers[id]?.user?.name }
    return room.guests[device]?.name
  }

  /// Whether a peer may steer its room by Syncplay's own rules.
  func mayControl(_ id: PeerID) -> Bool {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return false }
    return room.managed == nil || user.isOperator
  }

  /// The title of a room or file, cut to the coordinator's limit.
  func title(_ text: String) -> String {
    (text.isEmpty ? options.serverName : text).truncated(toBytes: limits.titleBytes)
  }
}

// MARK: News

// Messages keep their order: before a message, a client is sent the news that are older.

extension SyncplayRoster {
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

  /// Tells an audience what a user does that moves no player.
  ///
  /// - Parameter id: the client that is not told, because it knows already.
  mutating func spread(
    _ news: SyncplayNews, to audience: Bulletin.Audience, but id: PeerID? = nil
  ) {
    let count =
      switch audience {
      case .everybody: clientDirectory.greeted.count
      case .room(let name): rooms[name]?.members.count ?? 0
      }
    guard count > attentiveAudience else {
      return send(.set(news), to: peers(of: audience).filter { $0 != id })
    }
    if let id { catchUp(id) }
    bulletin.append(news, for: audience, by: StateSchedule.tick(after: now))
    if let id { bulletin.skip(id) }
    if bulletin.isFull { publishBulletin() }
  }

  /// The audience of what users in a room do.
  func audience(of room: String) -> Bulletin.Audience {
    options.isolatesRooms ? .room(room) : .everybody
  }

  /// The clients that are in an audience now.
  func peers(of audience: Bulletin.Audience) -> [PeerID] {
    switch audience {
    case .everybody: clientDirectory.greeted
    case .room(let name): rooms[name]?.members ?? []
    }
  }

  /// Sends a peer the news that it does not know yet.
  mutating func catchUp(_ id: PeerID) {
    guard !bulletin.isEmpty, let room = peers[id]?.user?.room else { return }
    for news in bulletin.takeUnknown(to: id, in: room) {
      outputs.append(.send(.set(news), to: .one(id)))
    }
  }

  /// Sends all clients the news that they do not know yet.
  mutating func publishBulletin() {
    guard !bulletin.isEmpty else { return }
    let deliveries = bulletin.deliveries(
      to: clientDirectory.greeted, members: { rooms[$0]?.members ?? [] },
      roomOf: { peers[$0]?.user?.room })
    bulletin = Bulletin()
    for delivery in deliveries {
      outputs.append(.post(delivery.news, to: .many(delivery.audience)))
    }
  }

  /// Sends a chat line to the clients that know chat.
  mutating func tellChat(_ text: String, from name: String, to audience: [PeerID]) {
    let able = audience.filter { id in
      guard let version = peers[id]?.user?.version else { return false }
      return SyncplayVersion(version) >= .chat
    }
    send(.chat(from: name, text), to: able)
  }

  /// Tells a room's audience whether a user is an operator of the room.
  mutating func tellAuthorization(of name: String, _ isSuccess: Bool, in room: String) {
    let news = SyncplayNews.controllerAuth(user: name, room: room, isSuccess: isSuccess)
    send(.set(news), to: peers(of: audience(of: room)))
  }

  /// Sends a client the list of users and rooms.
  mutating func sendList(to id: PeerID) {
    guard let user = peers[id]?.user else { return }
    let listing = SyncplayListing(options: options, rooms: rooms, peers: peers)
    send(.list(listing.rooms(for: user)), to: id)
  }
}

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
