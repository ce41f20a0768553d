import GroupSessions
import Playback
import Vocabulary
import Wire

// Messages of clients, except those about their players.

// MARK: Lines

// Handling of lines, and of the Hello.

extension SyncplayLobby {
  mutating func receive(_ line: SyncplayLine, from id: PeerID) {
    switch line {
    case .state(let state): if isBearable(1, from: id) { receive(state, from: id) }
    case .messages(let messages, let fault):
      // An empty line counts, too.
      if messages.isEmpty { _ = isBearable(1, from: id) }
      for message in messages where isBearable(message.weight, from: id) {
        receive(message, from: id)
      }
      if let fault, roster.isHere(id) { close(id, fault) }
    }
  }

  /// Whether a client is here and below its message limit for this second; one over the limit is
  /// disconnected.
  ///
  /// Requests to the coordinator are limited there as well.
  private mutating func isBearable(_ weight: Int, from id: PeerID) -> Bool {
    let said = roster.peers.change(id) { $0?.noteSaid(weight) }
    guard let said else { return false }
    guard said > roster.limits.messageBurst else { return true }
    close(
      id, .refused("Too many messages: a client may send \(roster.limits.messageBurst) a second."))
    return false
  }

  private mutating func receive(_ message: SyncplayClientMessage, from id: PeerID) {
    let isGreeted = roster.peers.change(id) { $0?.isGreeted == true }
    switch message {
    case .hello(let hello): greet(hello, id)
    case .tlsInquiry: answerInquiry(of: id)
    case .error(let text): close(id, .echoed(text))
    case .state(let state): receive(state, from: id)
    // After its connection broke, the reference's client reports its player and readiness before
    // its Hello; after an Error it would not come back.
    case .set(let setting): if isGreeted { take(setting, from: id) }
    case .list: if isGreeted { roster.sendList(to: id) } else { close(id, .helloRequired) }
    case .chat(let text): if isGreeted { relay(text, from: id) } else { close(id, .helloRequired) }
    }
  }

  /// Begins to encrypt if the client may still ask for it, as the reference does: before its Hello.
  private mutating func answerInquiry(of id: PeerID) {
    guard let peer = roster.peers[id] else { return }
    let begins = roster.options.offersTLS && peer.user == nil && peer.encryption != .begun
    roster.send(.tls(begins), to: id)
    guard begins else { return }
    roster.peers[id]?.encryption = .begun
    roster.outputs.append(.startTLS(id))
  }

  /// Disconnects a client, and sends the reason if there is one.
  mutating func close(_ id: PeerID, _ fault: SyncplayFault?) {
    roster.outputs.append(.close(id, fault))
    part(from: id)
  }

  /// Handles that the coordinator closes a peer.
  mutating func refuse(_ id: PeerID, _ error: ProtocolError) {
    if let room = roster.roomDirectory.remove(keeper: id) {
      // The clients stay; the room cannot be steered until one of them requests a keeper again.
      roster.rooms[room]?.keeper.end()
      // The next keeper fills the queue if this one has not.
      _ = roster.rooms[room]?.playlist.abandonChange(of: id)
      return
    }
    guard roster.isHere(id) else { return }
    switch error.code {
    // Clients do not reconnect after an Error. They should after a restart, and after a silence:
    // Debian's client says nothing while its player starts, which takes up to half a minute.
    case .shuttingDown, .helloTimeout, .idleTimeout: close(id, nil)
    default: close(id, .refused("\(error.message.capitalizedFirst): \(error.code.advice)."))
    }
  }

  private mutating func greet(_ hello: SyncplayHello, _ id: PeerID) {
    guard let peer = roster.peers[id] else { return }
    guard peer.user == nil, hellos[id] == nil else { return close(id, .alreadyGreeted) }
    guard peer.encryption != .required else { return close(id, .encryptionRequired) }
    if let fault = fault(of: hello, by: peer.guesser) { return close(id, fault) }
    guard roster.options.asksForKeys, let password = hello.password else { return admit(hello, id) }
    hellos[id] = hello
    knock(at: RoomName.truncated(hello.room, options: roster.options), id, with: password)
  }

  mutating func admit(_ hello: SyncplayHello, _ id: PeerID) {
    guard let peer = roster.peers[id] else { return }
    let version = SyncplayVersion(hello.version)
    let name = roster.clientDirectory.claimName(
      hello.username, maximum: roster.options.maximumUsernameLength)
    let room = RoomName.truncated(hello.room, options: roster.options)
    let features = hello.features ?? SyncplayFeatures(of: version)
    roster.peers[id]?.user = SyncplayUser(
      name: name, room: room, version: hello.version, features: features)
    roster.peers[id]?.lastHeard = roster.now
    begin(id)
    roster.clientDirectory.add(id, on: peer.membership.device)
    roster.skipNews(id)
    roster.outputs.append(
      .tell(
        id,
        .hello(
          Hello(
            user: roster.identifiers.user(named: name),
            device: peer.membership.device, name: name, features: [.sessions]))))
    enter(room, id)
    announceArrival(of: id)
    welcome(id, hello)
  }

  private mutating func announceArrival(of id: PeerID) {
    guard let user = roster.peers[id]?.user else { return }
    let joined = SyncplayNews.user(
      user.name, room: user.room, event: .joined(version: user.version, user.features))
    roster.spread(joined, to: roster.audience(of: user.room), but: id)
    roster.spread(.ready(user.name, nil, isManual: false), to: .room(user.room))
    if roster.options.keepsRooms { roster.sendList(to: id) }
  }

  private mutating func welcome(_ id: PeerID, _ hello: SyncplayHello) {
    guard let peer = roster.peers[id], let user = peer.user, let room = roster.rooms[user.room]
    else { return }
    roster.sendPlaylist(of: room, to: [id])
    tellOperators(of: room, to: id)
    var welcome = SyncplayWelcome(
      user, as: hello.version, from: peer.address, options: roster.options)
    // A message of ten thousand non-ASCII letters takes more bytes than a line may have.
    if roster.encoder.length(of: .hello(welcome)) > SyncplayLimits.lineBytes {
      welcome.messageOfTheDay = MessageOfTheDay.tooLong
    }
    roster.send(.hello(welcome), to: id)
  }

  /// Tells who the operators are: people see it, and clients of version 1.6 learn it in no other
  /// way.
  private mutating func tellOperators(of room: SyncplayRoom, to id: PeerID) {
    guard room.managed != nil else { return }
    let members = room.members.compactMap { roster.peers[$0]?.user }.filter(\.isOperator)
    let guests = room.guests.values.filter(\.isOperator)
    for name in members.map(\.name) + guests.map(\.name) {
      roster.send(.set(.controllerAuth(user: name, room: room.name, isSuccess: true)), to: id)
    }
  }

  /// Handles that a client's connection is closed.
  mutating func part(from id: PeerID) {
    guard let peer = roster.peers[id] else { return }
    roster.peers[id] = nil
    hellos[id] = nil
    defer { roster.outputs.append(.disconnect(id)) }
    guard let user = peer.user else { return }
    roster.clientDirectory.remove(id, on: peer.membership.device)
    roster.clientDirectory.releaseName(user.name)
    if peer.membership.hasGroupToLeave {
      // The peer leaves its group, because the others would wait half a minute for a lost device to
      // resume.
      var membership = peer.membership
      roster.outputs.append(.tell(id, .request(membership.number(), .leaveGroup)))
    }
    roster.forgetNews(id)
    desert(user.room, id, hadFile: user.file != nil)
    roster.spread(
      .user(user.name, room: user.room, event: .left), to: roster.audience(of: user.room))
  }
}

// MARK: Settings

extension SyncplayLobby {
  mutating func take(_ setting: SyncplaySetting, from id: PeerID) {
    switch setting {
    case .room(let name): move(id, to: name)
    case .file(let file):
      roster.open(file, by: id)
      arm(id)
    case .controllerAuth(let room, let password): authorize(id, room, password)
    case .ready(let isReady, let isManual, let name):
      roster.setReadiness(isReady, isManual, of: name, by: id)
    case .playlist(let files): roster.replacePlaylist(with: files, by: id)
    case .playlistIndex(let index): roster.select(index, by: id)
    case .features(let features): roster.peers[id]?.user?.features = features
    }
  }

  // MARK: Moving

  private mutating func move(_ id: PeerID, to wanted: String) {
    let name = RoomName.truncated(wanted, options: roster.options)
    guard let old = roster.peers[id]?.user, old.room != name else { return }
    guard let password = old.password else { return moveIn(id, to: name) }
    knock(at: name, id, with: password)
  }

  mutating func moveIn(_ id: PeerID, to name: String) {
    guard let old = roster.peers[id]?.user, old.room != name else { return }
    roster.catchUp(id)
    desert(old.room, id, hadFile: old.file != nil)
    roster.peers[id]?.membership.leaveSession()
    leaveGroup(id)
    roster.peers[id]?.user?.room = name
    roster.peers[id]?.user?.isOperator = false
    // What the room before waited for.
    roster.peers[id]?.user?.loading = .done
    roster.peers[id]?.readySeq = 0
    roster.peers[id]?.plan = nil
    roster.peers[id]?.place = nil
    enter(name, id)
    // The periodic States start anew, and the client is moved to the room's position.
    sendState(to: id, nil)
    goOn(id)
    sendState(to: id, .correction)
    announceMove(of: id, from: old.room)
    guard let room = roster.rooms[name] else { return }
    roster.sendPlaylist(of: room, to: [id])
    tellOperators(of: room, to: id)
  }

  private mutating func announceMove(of id: PeerID, from old: String) {
    guard let user = roster.peers[id]?.user else { return }
    if roster.options.isolatesRooms {
      let left = SyncplayNews.user(user.name, room: user.room, event: .left)
      roster.spread(left, to: .room(old))
      roster.send(.set(left), to: id)
    }
    roster.spread(
      .user(user.name, room: user.room, file: roster.options.isolatesRooms ? user.file?.text : nil),
      to: roster.audience(of: user.room))
    roster.spread(.ready(user.name, user.isReady, isManual: false), to: .room(user.room))
  }

  // MARK: Chat

  /// Sends a chat line to everybody as a message of the session.
  mutating func relay(_ text: String, from id: PeerID) {
    guard roster.options.allowsChat else { return }
    let text = text.truncated(toCodePoints: roster.options.maximumChatLength)
    guard !text.isEmpty else { return }
    roster.askSession(.send(nil, ChatLine.payload(text), to: .all), as: id)
  }

}

// MARK: Operators

// A client that gives a managed room's password becomes a host of the session.

extension SyncplayLobby {
  mutating func authorize(_ id: PeerID, _ named: String?, _ password: String) {
    guard let user = roster.peers[id]?.user else { return }
    let wanted = named.map { $0.strippedOfSpace } ?? user.room
    guard let managed = ManagedRoom(wanted) else {
      return makeManaged(wanted, password, by: id)
    }
    // The password must be that of the room the client is in.
    guard wanted == user.room, ManagedRoom.isPassword(password) else {
      return tellAuthorization(of: id, false, to: roster.rooms[user.room]?.members ?? [])
    }
    guard let guesser = roster.peers[id]?.guesser, guesses.take(by: guesser, at: roster.now) else {
      return tellAuthorization(of: id, false, to: [id])
    }
    let isRight = managed.accepts(password, salt: roster.options.salt)
    if isRight {
      // It gives back its own cost only: otherwise a room of one's own would pay for guesses at the
      // passwords of others.
      guesses.giveBack(1, to: guesser, at: roster.now)
      roster.peers[id]?.user?.isOperator = true
      promote(id)
    }
    roster.tellAuthorization(of: user.name, isRight, in: user.room)
  }

  mutating func tellAuthorization(of id: PeerID, _ isSuccess: Bool, to audience: [PeerID]) {
    guard let user = roster.peers[id]?.user else { return }
    let news = SyncplayNews.controllerAuth(
      user: user.name, room: user.room, isSuccess: isSuccess)
    roster.send(.set(news), to: audience)
  }

  /// Tells a client the name of its new managed room; the client moves there by itself.
  private mutating func makeManaged(_ base: String, _ password: String, by id: PeerID) {
    guard !roster.options.asksForKeys else { return refuseManaged(to: id) }
    guard ManagedRoom.isPassword(password),
      base.codePointCount + ManagedRoom.overhead <= roster.options.maximumRoomNameLength
    else { return tellAuthorization(of: id, false, to: roster.room(of: id)?.members ?? []) }
    // The name tells whether the password is that of a room of the same base, so it is a guess.
    guard let guesser = roster.peers[id]?.guesser, guesses.take(by: guesser, at: roster.now) else {
      return tellAuthorization(of: id, false, to: [id])
    }
    let room = ManagedRoom(base: base, password: password, salt: roster.options.salt)
    roster.send(.set(.newControlledRoom(name: room.name, password: password)), to: id)
  }

  /// Makes an operator who takes part a host of the session.
  mutating func promote(_ id: PeerID) {
    guard let user = roster.peers[id]?.user, user.isOperator,
      let participant = roster.peers[id]?.membership.participant
    else { return }
    roster.ask(.setRole(nil, participant, .host), asKeeperOf: user.room)
  }
}

extension SyncplayLobby {
  /// Why a Hello is rejected; `nil` if it is accepted, or if the room's key decides.
  fileprivate mutating func fault(of hello: SyncplayHello, by guesser: String) -> SyncplayFault? {
    if hello.username.isEmpty || hello.room.isEmpty || hello.version.isEmpty {
      return .notEnoughHelloArguments
    }
    guard !roster.options.asksForKeys else {
      return hello.password == nil ? .passwordRequired : nil
    }
    guard let passwordHash = roster.options.passwordHash else { return nil }
    guard let password = hello.password else { return .passwordRequired }
    // A person's password may be guessed, so a right one waits, too.
    guard guesses.take(by: guesser, at: roster.now) else { return .tooManyGuesses }
    guard areEqualInConstantTime(password, passwordHash) else { return .wrongPassword }
    guesses.giveBack(1, to: guesser, at: roster.now)
    return nil
  }
}

extension SyncplayWelcome {
  /// The welcome for a new user.
  fileprivate init(
    _ user: SyncplayUser, as version: String, from address: String, options: SyncplayOptions
  ) {
    let message = MessageOfTheDay(template: options.messageOfTheDay)
    var text = message.text(
      version: user.version, address: address, username: user.name, room: user.room)
    if options.keepsRooms, !user.features.contains(.persistentRooms) {
      text = Self.persistenceNotice + text
    }
    self.init(
      username: user.name, room: user.room, version: version, messageOfTheDay: text,
      options: options)
  }

  /// A notice for clients that do not say so themselves, as newer ones do.
  private static let persistenceNotice =
    "This server keeps the playlists of rooms when everybody has left them.\n"
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SyncplayClientMessage {
  /// The share of a client's message limit that the message uses.
  fileprivate var weight: Int { if case .list = self { SyncplayLimits.listWeight } else { 1 } }
}
