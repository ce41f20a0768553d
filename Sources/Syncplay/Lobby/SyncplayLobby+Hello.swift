import GroupSessions
import Vocabulary
import Wire

// Lines, and the first of them.

extension SyncplayLobby {
  mutating func receive(_ line: SyncplayLine, from id: PeerID) {
    switch line {
    case .state(let state): if isBearable(1, from: id) { receive(state, from: id) }
    case .messages(let messages, let fault):
      // Nothing is something said, too.
      if messages.isEmpty { _ = isBearable(1, from: id) }
      for message in messages where isBearable(message.weight, from: id) {
        receive(message, from: id)
      }
      if let fault, isHere(id) { close(id, fault) }
    }
  }

  /// Whether a client is here and may say yet another thing this second; who says far too much is
  /// hung up on.
  ///
  /// What reaches the coordinator meets its bound besides.
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
    // The reference's client, when its line was cut, speaks of its player and its person's
    // readiness before it says who it is; after an Error it would not come back.
    case .set(let setting): if isGreeted { take(setting, from: id) }
    case .list: if isGreeted { sendList(to: id) } else { close(id, .helloRequired) }
    case .chat(let text): if isGreeted { relay(text, from: id) } else { close(id, .helloRequired) }
    }
  }

  /// Says why, and hangs up.
  mutating func close(_ id: PeerID, _ fault: SyncplayFault?) {
    outputs.append(.close(id, fault))
    part(from: id)
  }

  /// The coordinator does not want the peer.
  mutating func refuse(_ id: PeerID, _ error: ProtocolError) {
    if let room = keepers.removeValue(forKey: id) {
      // Whoever is here stays; there is nothing to be steered until somebody comes again.
      rooms[room]?.keeper = nil
      rooms[room]?.nextPing = nil
      return
    }
    guard isHere(id) else { return }
    // After an Error clients do not come back; after a restart they are to.
    guard error.code != .shuttingDown else { return close(id, nil) }
    close(id, .refused("\(error.message.capitalizedFirst): \(error.code.advice)."))
  }

  private mutating func greet(_ hello: SyncplayHello, _ id: PeerID) {
    guard let peer = peers[id] else { return }
    if let fault = fault(of: hello, peer) { return close(id, fault) }
    let version = SyncplayVersion(hello.version)
    let name = names.claim(hello.username, maximum: options.maximumUsernameLength)
    let room = RoomName.truncated(hello.room, options: options)
    let features = hello.features ?? SyncplayFeatures(of: version)
    peers[id]?.user = SyncplayUser(
      name: name, room: room, version: hello.version, features: features)
    peers[id]?.lastHeard = now
    begin(id)
    devices[peer.membership.device] = id
    greeted.makeRoom()
    greeted.append(id)
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
    // Ten thousand letters of another alphabet are more than a line.
    if encoder.length(of: .hello(welcome)) > SyncplayLimits.lineBytes {
      welcome.messageOfTheDay = MessageOfTheDay.tooLong
    }
    send(.hello(welcome), to: id)
  }

  /// What older clients do not say by themselves.
  private static let persistenceNotice =
    "This server keeps the playlists of rooms when everybody has left them.\n"

  /// Clients of 1.6 learn who steers in no other way.
  private mutating func tellOperators(of room: SyncplayRoom, to id: PeerID) {
    guard room.managed != nil else { return }
    for member in room.members {
      guard let user = peers[member]?.user, user.isOperator else { continue }
      send(.set(.controllerAuth(user: user.name, room: room.name, isSuccess: true)), to: id)
    }
  }

  /// A connection is over, whoever ended it.
  mutating func part(from id: PeerID) {
    guard let peer = peers[id] else { return }
    peers[id] = nil
    defer { outputs.append(.disconnect(id)) }
    devices[peer.membership.device] = nil
    guard let user = peer.user else { return }
    greeted.removeAll { $0 == id }
    names.release(user.name)
    if peer.membership.group != nil {
      // Not lost, but gone: its people would wait half a minute for a device that never resumes.
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
  /// What it weighs of what a client may say in a second.
  fileprivate var weight: Int { if case .list = self { SyncplayLimits.listWeight } else { 1 } }
}
