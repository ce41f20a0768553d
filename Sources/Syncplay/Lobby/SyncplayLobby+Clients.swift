import GroupSessions
import Playback
import Vocabulary
import Wire

// Clients: their lines, their hellos, what they set, and operators of managed rooms.

extension SyncplayLobby {
  mutating func receive(_ line: SyncplayLine, from id: PeerID) {
    switch line {
    case .state(let state): if isBearable(1, from: id) { receive(state, from: id) }
    case .messages(let messages, let fault):
      // An empty line counts too.
      if messages.isEmpty { _ = isBearable(1, from: id) }
      for message in messages where isBearable(message.weight, from: id) {
        receive(message, from: id)
      }
      if let fault, isHere(id) { close(id, fault) }
    }
  }

  /// Whether a client is connected and within its rate limit; a client beyond it is disconnected.
  ///
  /// The coordinator's own limit applies besides.
  private mutating func isBearable(_ weight: Int, from id: PeerID) -> Bool {
    let said = peers.change(id) { $0?.noteSaid(weight) }
    guard let said else { return false }
    guard said > limits.messageBurst else { return true }
    close(id, .refused("Too many messages: a client may send \(limits.messageBurst) a second."))
    return false
  }

  private mutating func receive(_ message: SyncplayClientMessage, from id: PeerID) {
    let isGreeted = peers.change(id) { $0?.isGreeted == true }
    switch message {
    case .hello(let hello): greet(hello, id)
    case .tlsInquiry: send(.tls(false), to: id)
    case .error(let text): close(id, .echoed(text))
    case .state(let state): receive(state, from: id)
    // After a lost connection, the reference's client sends States and readiness before its Hello;
    // after an Error it would not come back.
    case .set(let setting): if isGreeted { take(setting, from: id) }
    case .list: if isGreeted { sendList(to: id) } else { close(id, .helloRequired) }
    case .chat(let text): if isGreeted { relay(text, from: id) } else { close(id, .helloRequired) }
    }
  }

  /// Closes a connection, after an Error if there is one.
  mutating func close(_ id: PeerID, _ fault: SyncplayFault?) {
    outputs.append(.close(id, fault))
    part(from: id)
  }

  /// The coordinator closes a peer.
  mutating func refuse(_ id: PeerID, _ error: ProtocolError) {
    if let room = index[id] {
      index[id] = nil
      // Clients stay; nothing can be steered until the room has a keeper again.
      rooms[room]?.keeper = nil
      rooms[room]?.nextPing = nil
      return
    }
    guard isHere(id) else { return }
    // After an Error clients do not come back, but after a restart they should.
    guard error.code != .shuttingDown else { return close(id, nil) }
    close(id, .refused("\(error.message.capitalizedFirst): \(error.code.advice)."))
  }

  private mutating func greet(_ hello: SyncplayHello, _ id: PeerID) {
    guard let peer = peers[id] else { return }
    if let fault = fault(of: hello, peer) { return close(id, fault) }
    let version = SyncplayVersion(hello.version)
    let name = greeted.claim(hello.username, maximum: options.maximumUsernameLength)
    let room = RoomName.truncated(hello.room, options: options)
    let features = hello.features ?? SyncplayFeatures(of: version)
    peers[id]?.user = SyncplayUser(
      name: name, room: room, version: hello.version, features: features)
    peers[id]?.lastHeard = now
    begin(id)
    greeted.append(id, on: peer.membership.device)
    bulletin.skip(id)
    outputs.append(
      .tell(
        id,
        .hello(
          Hello(
            user: identifiers.user(named: name),
            device: peer.membership.device, name: name, features: [.sessions]))))
    enter(room, id)
    announceArrival(of: id)
    welcome(id, hello)
  }

  private func fault(of hello: SyncplayHello, _ peer: SyncplayPeer) -> SyncplayFault? {
    if peer.user != nil { return .alreadyGreeted }
    if hello.username.isEmpty || hello.room.isEmpty || hello.version.isEmpty {
      return .notEnoughHelloArguments
    }
    guard let wanted = options.passwordHash else { return nil }
    guard let password = hello.password else { return .passwordRequired }
    return SyncplayHash.areEqual(password, wanted) ? nil : .wrongPassword
  }

  private mutating func announceArrival(of id: PeerID) {
    guard let user = peers[id]?.user else { return }
    let joined = SyncplayNews.user(
      user.name, room: user.room, event: .joined(version: user.version, user.features))
    spread(joined, to: audience(of: user.room), but: id)
    spread(.ready(user.name, nil, isManual: false), to: .room(user.room))
    if options.keepsRooms { sendList(to: id) }
  }

  private mutating func welcome(_ id: PeerID, _ hello: SyncplayHello) {
    guard let peer = peers[id], let user = peer.user, let room = rooms[user.room] else { return }
    sendPlaylist(of: room, to: [id])
    if SyncplayVersion(user.version) < SyncplayVersion("1.7.0") { tellOperators(of: room, to: id) }
    let message = MessageOfTheDay(template: options.messageOfTheDay)
    var welcome = SyncplayWelcome(
      username: user.name, room: user.room, version: hello.version,
      messageOfTheDay: message.text(
        version: user.version, address: peer.address, username: user.name, room: user.room),
      options: options)
    if options.keepsRooms, !user.features.contains(.persistentRooms) {
      welcome.messageOfTheDay = Self.persistenceNotice + welcome.messageOfTheDay
    }
    // Ten thousand letters outside ASCII may exceed a line.
    if encoder.length(of: .hello(welcome)) > SyncplayLimits.lineBytes {
      welcome.messageOfTheDay = MessageOfTheDay.tooLong
    }
    send(.hello(welcome), to: id)
  }

  /// A notice that older clients do not show by themselves.
  private static let persistenceNotice =
    "This server keeps the playlists of rooms when everybody has left them.\n"

  /// Clients of 1.6 learn the operators in no other way.
  private mutating func tellOperators(of room: SyncplayRoom, to id: PeerID) {
    guard room.managed != nil else { return }
    for member in room.members {
      guard let user = peers[member]?.user, user.isOperator else { continue }
      send(.set(.controllerAuth(user: user.name, room: room.name, isSuccess: true)), to: id)
    }
  }

  /// A connection is closed, by either end.
  mutating func part(from id: PeerID) {
    guard let peer = peers[id] else { return }
    peers[id] = nil
    defer { outputs.append(.disconnect(id)) }
    guard let user = peer.user else { return }
    greeted.remove(id, on: peer.membership.device, named: user.name)
    if peer.membership.group != nil {
      // Leaves at once, because the device never resumes, and others would wait half a minute for
      // it.
      var membership = peer.membership
      outputs.append(.tell(id, .request(membership.number(), .leaveGroup)))
    }
    bulletin.forget(id)
    desert(user.room, id, hadFile: user.file != nil)
    spread(.user(user.name, room: user.room, event: .left), to: audience(of: user.room))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SyncplayClientMessage {
  /// Its weight against the client's rate limit.
  fileprivate var weight: Int { if case .list = self { SyncplayLimits.listWeight } else { 1 } }
}

// MARK: Settings

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
    // The second begins anew, and the client is sent to the room's place.
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

  /// Leaves the group; another can be joined only after the answer.
  private mutating func leaveGroup(_ id: PeerID) {
    peers[id]?.membership.leaveSession()
    guard peers[id]?.membership.group != nil else { return }
    peers[id]?.membership.group = nil
    let request = ask(.leaveGroup, as: id)
    peers[id]?.membership.leaving = request
  }
}

// MARK: Operators of managed rooms

extension SyncplayLobby {
  /// Whether a peer may steer its room by Syncplay's own rule.
  func mayControl(_ id: PeerID) -> Bool {
    guard let user = peers[id]?.user, let room = rooms[user.room] else { return false }
    return room.managed == nil || user.isOperator
  }

  /// A client sends an operator password.
  mutating func authorize(_ id: PeerID, _ named: String?, _ password: String) {
    guard let peer = peers[id], let user = peer.user else { return }
    let verdict = passwords.judge(
      password, named: named, in: user.room, from: peer.address, at: now)
    switch verdict {
    case .right:
      peers[id]?.user?.isOperator = true
      promote(id)
      tellAuthorization(of: user, true, to: peers(of: audience(of: user.room)))
    case .wrong: tellAuthorization(of: user, false, to: peers(of: audience(of: user.room)))
    case .malformed: tellAuthorization(of: user, false, to: rooms[user.room]?.members ?? [])
    case .tooManyGuesses: tellAuthorization(of: user, false, to: [id])
    case .makes(let room):
      send(.set(.newControlledRoom(name: room.name, password: password)), to: id)
    }
  }

  private mutating func tellAuthorization(
    of user: SyncplayUser, _ isSuccess: Bool, to audience: [PeerID]
  ) {
    let news = SyncplayNews.controllerAuth(
      user: user.name, room: user.room, isSuccess: isSuccess)
    send(.set(news), to: audience)
  }

  /// Has the room's keeper make an operator a host, once the client takes part.
  mutating func promote(_ id: PeerID) {
    guard let user = peers[id]?.user, user.isOperator,
      let participant = peers[id]?.membership.participant
    else { return }
    ask(.setRole(nil, participant, .host), asKeeperOf: user.room)
  }
}
