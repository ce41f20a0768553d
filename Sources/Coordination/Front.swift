import GroupSessions
import Signatures
import Vocabulary
import Wire

/// The connections and the devices behind them, their requests, and the audiences of topics.
struct Front: Sendable {
  enum Subject: Hashable, Sendable {
    /// The deadline until which a stop waits for sessions to end.
    case drain
  }

  let server: String
  /// Verifies invitation tokens; `nil` if the server has no key.
  let signer: InvitationSigner?
  var turn: Turn<Subject>
  private(set) var peers = PeerTable()
  var devices = Devices()
  private(set) var farewells = Farewells()
  private(set) var audiences = Audiences()
  var gate: Gate
  private var arrivals: Arrivals
  private(set) var isStopping = false
  /// Whether what would make the journal grow is refused.
  private var isJournalFull = false
  /// Why people cannot do what they want, as a status tells it.
  private(set) var obstacle: String?
  /// The servers at which people come in; none if this one takes no links.
  private(set) var servers: [StatusReport.Server] = []
  private var outputs: [Output] = []

  init(limits: Limits, server: String, access: Access, notifications: NotificationSettings) {
    gate = Gate(access, administratorKey: notifications.administratorKey, limits)
    arrivals = Arrivals(limits)
    self.server = server
    signer = notifications.signer
    turn = Turn(limits: limits)
  }

  var limits: Limits { turn.limits }
  var now: Instant { turn.now }

  var nextDeadline: Instant? {
    Instant.earlier(
      gate.nextDeadline, Instant.earlier(peers.next(turn.limits)?.deadline, turn.nextDeadline))
  }

  /// Removes and returns what the shell has to do.
  mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  mutating func setJournal(isFull: Bool) { isJournalFull = isFull }

  mutating func set(obstacle: String?) { self.obstacle = obstacle }

  mutating func set(_ servers: [StatusReport.Server]) { self.servers = servers }

  // MARK: Time

  mutating func advanceClock() {
    while let (peer, deadline) = peers.next(limits), deadline <= now {
      close(peer, ProtocolError(peers[peer]?.device == nil ? .helloTimeout : .idleTimeout))
    }
    while let due = gate.popDue(at: now) {
      switch due {
      case .expires(let peer, let end): send(.credentialExpires(at: end), to: peer)
      case .expired(let peer): close(peer, ProtocolError(.credentialExpired))
      }
    }
    while turn.popDue() != nil { closeAll() }
  }

  /// - Parameter isResumable: whether the next server continues the sessions from the journal.
  mutating func stop(isResumable: Bool) {
    guard !isStopping else { return }
    isStopping = true
    guard !isResumable else { return closeAll() }
    turn.arm(.drain, at: now + limits.drainDeadline)
    turn.say(.groups(.stop))
  }

  /// Closes all connections, after the ends of the sessions were sent.
  private mutating func closeAll() {
    turn.disarm(.drain)
    for peer in peers.keys { close(peer, ProtocolError(.shuttingDown)) }
  }

  // MARK: Connections

  mutating func connect(_ peer: PeerID, from address: PeerAddress?, over link: LinkID?) {
    guard !isStopping else { return close(peer, ProtocolError(.shuttingDown)) }
    if let address, !arrivals.enter(address, at: now) { return outputs.append(.shut(peer)) }
    if peers.count >= limits.peers {
      // The oldest connection without a hello makes room.
      guard let silent = peers.oldestSilent else {
        if let address { arrivals.leave(address) }
        return outputs.append(.close(peer, ProtocolError(.serverFull, limit: limits.peers)))
      }
      close(silent, ProtocolError(.helloTimeout))
    }
    peers.insert(Peer(at: now, from: address, over: link), as: peer)
  }

  /// Notes that a connection is encrypted.
  mutating func secure(_ peer: PeerID) { peers.secure(peer) }

  /// Answers a hello, and says whose device it is on.
  mutating func welcome(_ hello: Hello, _ id: DeviceID, _ peer: PeerID) {
    guard let device = devices[id] else { return }
    let beats = hello.features.contains(.heartbeat)
    peers.greet(peer, as: device.identity, beats ? .heartbeat : .idle, at: now)
    let welcome = Welcome(
      version: ProtocolVersion.current, server: server, device: device.id,
      token: device.token.text, isResumed: hello.resume != nil, at: now,
      access: gate.mode, isProved: gate.isProved(peer),
      features: [.sessions, .heartbeat, .audience],
      limits: WireLimits(limits))
    send(.welcome(welcome), to: peer)
    let attachment = device.attachment(
      hello.resume, from: peers[peer]?.address, within: gate.groups(of: peer))
    turn.say(.groups(.attach(attachment)))
    sayGroups(of: device.identity.user, on: peer)
    if gate.isProved(peer) { sayPresent(device) }
  }

  /// Says that a device is its person's; one that is not connected may resume.
  mutating func sayPresent(_ device: Device) {
    turn.say(.people(.present(device.id, device.identity.user, isConnected: device.peer != nil)))
  }

  /// Handles the loss of a connection, no matter which side closed it.
  ///
  /// - Parameter isSuperseded: whether its device continues on another connection.
  mutating func disconnect(_ peer: PeerID, isSuperseded: Bool = false) {
    gate.forget(peer)
    guard let gone = peers[peer] else { return }
    if let device = gone.device, devices.peer(of: device) == peer {
      lose(device, isSuperseded: isSuperseded)
    }
    peers.remove(peer)
    if let address = gone.address { arrivals.leave(address) }
  }

  /// Closes a connection for good; the shell's later report that it is closed changes nothing.
  mutating func close(_ peer: PeerID, _ error: ProtocolError, isSuperseded: Bool = false) {
    outputs.append(.close(peer, error))
    disconnect(peer, isSuperseded: isSuperseded)
  }

  /// Disconnects a device: it keeps its group and session for the grace period.
  ///
  /// A device without a group is forgotten, unless it continues on another connection.
  private mutating func lose(_ id: DeviceID, isSuperseded: Bool) {
    guard let device = devices[id] else { return }
    devices.connect(id, to: nil)
    if let peer = device.peer {
      if let group = device.place.group { unfollow(.group(group), by: peer) }
      if let session = device.place.session { unfollow(.session(session), by: peer) }
    }
    turn.say(.people(.lost(id, device.identity.user, isReleased: false)))
    // A stopping server reports no device as lost, because it may resume on the next server.
    guard !isStopping else { return }
    turn.say(.groups(.detach(id)))
    if device.place.group == nil, !isSuperseded { forget(device) }
  }

  /// Takes a device out of its group that has no connection and will not resume.
  mutating func abandon(_ id: DeviceID) {
    guard let device = devices[id], device.peer == nil else { return }
    turn.say(.groups(.expel(id)))
  }

  /// Forgets a device that is not expected back.
  mutating func forget(_ device: Device) {
    remove(device)
    turn.say(.people(.absent(device.id, device.identity.user)))
  }

  /// Removes a device and what the journal has of it.
  mutating func remove(_ device: Device) {
    devices.remove(device.id)
    if device.isKept { outputs.append(.forget(.device(device.id))) }
  }
}

// MARK: Lines

extension Front {
  mutating func receive(_ message: ClientMessage, from id: PeerID) {
    switch peers.admit(id, at: now, limits: limits) {
    case .refused(let error):
      if let request = message.requestID { send(.error(request, error), to: id) }
      return
    case .tooMany(let error): return close(id, error)
    case nil: return
    case .admitted: break
    }
    guard let device = peers[id]?.device else {
      switch message {
      case .hello(let hello): return greet(hello, id)
      case .answerInvitation(let request, let token, let answer):
        return self.answer(answer, byToken: token, request, from: id)
      case .ping, .request, .report, .droppable:
        return send(.error(message.requestID, ProtocolError(.helloRequired)), to: id)
      }
    }
    switch message {
    case .hello: send(.error(nil, ProtocolError(.alreadyGreeted)), to: id)
    case .ping(let ping): answer(ping, from: device, id)
    case .request(let request, let body): begin(request, body, from: device)
    case .answerInvitation(let request, let token, let answer) where !gate.isProved(id):
      self.answer(answer, byToken: token, request, from: id)
    case .answerInvitation(let request, let token, let answer):
      self.answer(answer, byToken: token, request, on: device)
    case .report(let report): turn.say(.groups(.report(report, by: device)))
    case .droppable(let message): turn.say(.groups(.relay(message, from: device)))
    }
  }

  /// Answers a line that is not a valid message.
  ///
  /// It counts as ten messages against the rate limit, because a person may mistype, while a broken
  /// client repeats itself.
  mutating func refuseLine(from id: PeerID, _ request: RequestID?, _ error: ProtocolError) {
    guard let peer = peers[id] else { return }
    guard peer.device != nil || error.code != .notJSON else { return close(id, error) }
    switch peers.admit(id, at: now, limits: limits, weight: 10) {
    case .refused(let tooMany), .tooMany(let tooMany): return close(id, tooMany)
    case .admitted, nil: break
    }
    send(.error(request, error), to: id)
  }

  private mutating func answer(_ ping: Ping, from device: DeviceID, _ id: PeerID) {
    send(.pong(Pong(sent: ping.sent, heard: now, answered: now)), to: id)
    guard let roundTrip = ping.roundTrip, roundTrip >= .zero else { return }
    turn.say(.groups(.delay(roundTrip / 2, of: device)))
  }

  // MARK: Sending

  mutating func send(_ message: ServerMessage, to peer: PeerID) {
    outputs.append(.send(message, to: .one(peer)))
  }

  mutating func send(_ message: ServerMessage, to device: DeviceID) {
    guard let peer = devices.peer(of: device) else { return }
    send(message, to: peer)
  }

  private mutating func publish(
    _ message: ServerMessage, on topic: AudienceTopic, to recipients: FrontWord.Recipients
  ) {
    let (receivers, relay) = audiences.receivers(of: topic, recipients) { devices.peer(of: $0) }
    if let relay {
      outputs.append(.publish(message, to: receivers, relay))
    } else if !receivers.isEmpty {
      outputs.append(.send(message, to: .many(receivers)))
    }
  }

  private mutating func follow(_ topic: AudienceTopic, by peer: PeerID) {
    if let number = audiences.add(peer, over: peers[peer]?.link, to: topic) {
      outputs.append(.audience(.follow(number, peer)))
    }
  }

  private mutating func unfollow(_ topic: AudienceTopic, by peer: PeerID) {
    if let number = audiences.remove(peer, over: peers[peer]?.link, from: topic) {
      outputs.append(.audience(.unfollow(number, peer)))
    }
  }
}

// MARK: Requests

extension Front {
  /// Begins a request, or repeats the answer of a request that was begun before.
  ///
  /// A question is answered from the current state; a remembered answer would be outdated.
  mutating func begin(_ id: RequestID, _ request: Request, from deviceID: DeviceID) {
    let isQuestion = request.isQuestion
    let reply: Reply
    switch devices.begin(
      id, of: deviceID, isQuestion: isQuestion, limit: limits.rememberedAnswers)
    {
    case .new(let new): reply = new
    case .settled(let outcome): return send(outcome.message(to: id), to: deviceID)
    case .pending, nil: return
    }
    guard !isStopping || isQuestion else { return refuse(reply, ProtocolError(.shuttingDown)) }
    if isJournalFull, request.journalUse == .grows {
      return refuse(reply, ProtocolError(.journalFull, limit: limits.journalSize))
    }
    guard !isSettledAtGate(request, reply) else { return }
    if let word = request.word(reply, by: sender(deviceID), isHere: { isHere($0) }) {
      turn.say(word)
    }
  }

  /// Whether a device is connected, or expected back, that is known to be this person's.
  private func isHere(_ user: UserID) -> Bool {
    guard !Hello.isReserved(user.text) else { return false }
    return devices.keys.contains { id in
      guard let device = devices[id], device.identity.user == user else { return false }
      return device.peer.map { gate.isProved($0) } ?? true
    }
  }

  private func sender(_ id: DeviceID) -> Sender? {
    guard let device = devices[id] else { return nil }
    var sender = device.sender
    sender.isAdministrator = device.peer.map { gate.administers($0) } ?? false
    sender.seesDrafts = sender.isAdministrator || gate.mode == .open
    return sender
  }
}

// MARK: Words

extension Front {
  mutating func hear(_ word: FrontWord) {
    switch word {
    case .follow(let topic, let device):
      if let peer = devices.peer(of: device) { follow(topic, by: peer) }
    case .unfollow(let topic, let device):
      if let peer = devices.peer(of: device) { unfollow(topic, by: peer) }
    case .disperse(let topic):
      if let relay = audiences.disperse(topic) { outputs.append(.audience(.disperse(relay))) }
    case .publish(let message, let topic, let recipients):
      publish(message, on: topic, to: recipients)
    case .tellEach(let message, let chosen):
      let receivers = chosen.compactMap { devices.peer(of: $0) }
      if !receivers.isEmpty { outputs.append(.send(message, to: .many(receivers))) }
    case .tell(let message, let device, let user):
      guard user == nil || devices[device]?.identity.user == user,
        let peer = devices.peer(of: device), let message = gate.visible(message, to: peer)
      else { return }
      send(message, to: peer)
    case .tellStatus(let request, var report, let device):
      report.peers = peers.count
      tell(report, to: device, request)
    case .answered(let answer): tell(answer)
    case .refused(let reply, let error): refuse(reply, error)
    case .done(let reply): settle(reply, .answered(.done(seq: nil)))
    case .answeredBearer(let bearer, let outcome):
      if peers[bearer.peer] != nil { send(outcome.message(to: bearer.request), to: bearer.peer) }
    case .placed(let device, let place): put(device, at: place)
    case .missedClosing(let id):
      guard let device = devices[id], device.peer == nil else { return }
      let end = now + limits.resumeGrace
      farewells.add(device, until: end, at: now, limit: limits.peers)
    case .review(let device, let user):
      guard let owner = devices[device]?.identity.user, owner != user else { return }
      turn.say(.people(.lost(device, user, isReleased: true)))
    case .proof(let peer, let proof): enter(peer, proof)
    case .opened(let reply): claimName(reply)
    case .claimed(let reply): enterProved(reply)
    case .freed(let user): expel(user)
    case .drained: closeAll()
    }
  }

  /// Passes an output to the shell, in order with the messages.
  mutating func take(_ output: Output) {
    guard case .append(let append) = output else { return outputs.append(output) }
    devices.store(append, at: now, through: &outputs)
  }

  private mutating func put(_ id: DeviceID, at place: Place) {
    devices.put(id, at: place)
    if place.group == nil, let device = devices[id], device.peer == nil { forget(device) }
  }

  // MARK: Recovery

  /// Restores devices; ``Groups`` says later where they are.
  ///
  /// - Returns: the devices as groups know them, all disconnected.
  mutating func restore(_ recovered: [Recovery.RecoveredDevice]) -> [Attachment] {
    devices.restore(recovered, limit: limits.rememberedAnswers).map {
      $0.attachment(nil, from: nil, within: nil)
    }
  }

  /// Says which devices may resume, so that their trays are kept for a while.
  mutating func sayWhoIsExpected() {
    for device in devices.keys.sorted().compactMap({ devices[$0] }) { sayPresent(device) }
  }
}
