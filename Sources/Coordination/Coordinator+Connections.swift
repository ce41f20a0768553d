import GroupSessions
import Vocabulary
import Wire

extension Coordinator {
  mutating func connect(_ peer: PeerID) {
    guard !isStopping else { return close(peer, .shuttingDown) }
    guard peers.count < limits.peers else {
      return outputs.append(.close(peer, ProtocolError(.serverFull, limit: limits.peers)))
    }
    peers.insert(Peer(at: now), as: peer)
  }

  /// The connection is gone, whoever closed it.
  mutating func disconnect(_ peer: PeerID) {
    guard let device = peers.remove(peer)?.device, devices[device]?.peer == peer else { return }
    lose(device)
  }

  /// Closes a connection for good; the shell's later word that it is closed changes nothing more.
  mutating func close(_ peer: PeerID, _ error: ProtocolError) {
    outputs.append(.close(peer, error))
    disconnect(peer)
  }

  mutating func close(_ peer: PeerID, _ code: ErrorCode) {
    close(peer, ProtocolError(code))
  }

  /// Closes the connections that were silent for too long.
  mutating func closeSilent() {
    while let (peer, deadline) = peers.next(limits), deadline <= now {
      close(peer, peers[peer]?.device == nil ? .helloTimeout : .idleTimeout)
    }
  }

  /// A device without a connection keeps its places for the grace; one without a place is forgotten,
  /// unless it goes on by another connection.
  private mutating func lose(_ id: DeviceID, isSuperseded: Bool = false) {
    guard var device = devices[id] else { return }
    let peer = device.peer
    device.peer = nil
    device.offered = nil
    devices[id] = device
    losePresence(of: device)
    // Whoever the server itself leaves may come back to the next one: nobody is lost.
    guard !isStopping else { return }
    if let session = device.session, let participant = device.participant {
      sessions[session]?.audience.removeAll { $0 == peer }
      perform(.lose(participant), on: session)
    }
    if let group = device.group {
      groups[group]?.audience.removeAll { $0 == peer }
      perform(GroupWork(command: .command(.lose(id))), on: group)
    } else if !isSuperseded {
      forget(id)
      tellTray(ofAbsent: device)
    }
  }
}

// MARK: Lines

extension Coordinator {
  mutating func receive(_ message: ClientMessage, from id: PeerID) {
    guard peers[id] != nil else { return }
    hear(id)
    if let wait = peers.take(from: id, at: now, limits: limits) {
      return refuseForRate(message, from: id, wait)
    }
    guard let device = peers[id]?.device else {
      switch message {
      case .hello(let hello): return greet(hello, id)
      case .answerInvitation(let request, let token, let answer):
        return self.answer(answer, byToken: token, request, from: id)
      default: return send(.error(message.requestID, ProtocolError(.helloRequired)), to: id)
      }
    }
    switch message {
    case .hello: send(.error(nil, ProtocolError(.alreadyGreeted)), to: id)
    case .ping(let ping): answer(ping, from: device, id)
    case .request(let request, let body): begin(request, body, from: device)
    case .answerInvitation(let request, let token, let answer):
      self.answer(answer, byToken: token, request, on: device)
    case .report(let report): note(report, from: device)
    case .droppable(let message): relay(message, from: device)
    }
  }

  /// Only a peer that said hello earns patience by talking.
  private mutating func hear(_ id: PeerID) {
    if peers[id]?.device != nil { peers.hear(id, at: now) }
  }

  /// A line that was no message costs ten: a person mistypes, a broken client repeats itself.
  mutating func refuseLine(from id: PeerID, _ request: RequestID?, _ error: ProtocolError) {
    guard peers[id] != nil else { return }
    hear(id)
    guard peers[id]?.device != nil || error.code != .notJSON else { return close(id, error) }
    if let wait = peers.take(from: id, at: now, limits: limits, weight: 10) {
      return close(id, ProtocolError(.rateLimited, retryAfter: wait))
    }
    send(.error(request, error), to: id)
  }

  private mutating func refuseForRate(
    _ message: ClientMessage, from id: PeerID, _ wait: Duration
  ) {
    let error = ProtocolError(
      .rateLimited, limit: limits.messagesPerSecond, retryAfter: wait)
    // Whoever ignores a whole burst of refusals does not listen.
    if let peer = peers[id], peer.allowance.refusals > limits.messageBurst {
      return close(id, error)
    }
    if let request = message.requestID { send(.error(request, error), to: id) }
  }

  private mutating func answer(_ ping: Ping, from device: DeviceID, _ id: PeerID) {
    send(.pong(Pong(sent: ping.sent, heard: now, answered: now)), to: id)
    guard let roundTrip = ping.roundTrip, roundTrip >= .zero,
      let session = devices[device]?.session, let participant = devices[device]?.participant
    else { return }
    // A peer that claims to be minutes away does not stop the others.
    let delay = min(roundTrip / 2, limits.longestLead)
    sessions[session]?.delays.note(delay, of: participant)
  }
}

extension ClientMessage {
  /// The id of a request; `nil` for what is not answered.
  var requestID: RequestID? {
    switch self {
    case .request(let id, _), .answerInvitation(let id, _, _): id
    case .hello, .ping, .report, .droppable: nil
    }
  }
}

// MARK: Hello

extension Coordinator {
  private mutating func greet(_ hello: Hello, _ peer: PeerID) {
    guard hello.versions.contains(ProtocolVersion.current) else {
      return close(peer, .unsupportedVersion)
    }
    if let resumption = hello.resume { return resume(hello, resumption, peer) }
    if let old = devices[hello.device] {
      guard old.peer == nil else {
        return send(.error(nil, ProtocolError(.deviceInUse)), to: peer)
      }
      forsake(old)
      if old.identity.user != hello.user { losePresence(of: old, isReleased: true) }
      forget(old.id)
    }
    lives &+= 1
    let token = ResumeToken(high: freshNumber(), low: freshNumber())
    let device = Device(
      identity: Identity(
        user: hello.user, device: hello.device, name: hello.name, isKeeper: hello.isKeeper),
      token: token, life: lives, peer: peer, understandsSessions: hello.features.contains(.sessions)
    )
    welcome(device, hello, isResumed: false, peer)
    tellEligibility(of: device.id, isForced: true)
    tellTray(of: device)
  }

  /// A client that starts anew gives up what it was.
  private mutating func forsake(_ device: Device) {
    if let session = device.session, let participant = device.participant {
      perform(.leave(participant), on: session)
    }
    if let group = device.group {
      perform(GroupWork(command: .command(.leave(device.id))), on: group)
    }
  }

  private mutating func resume(_ hello: Hello, _ resumption: Resumption, _ peer: PeerID) {
    guard var device = devices[hello.device], device.token.matches(resumption.token) else {
      return send(.error(nil, ProtocolError(.resumeRefused)), to: peer)
    }
    // The old connection may only look alive from here.
    if let old = device.peer {
      outputs.append(.close(old, ProtocolError(.superseded)))
      _ = peers.remove(old)
      lose(device.id, isSuperseded: true)
      device = devices[hello.device] ?? device
    }
    device.peer = peer
    welcome(device, hello, isResumed: true, peer)
    if let group = device.group {
      if let value = groups[group]?.group, value.members[device.id] != nil {
        groups[group]?.addToAudience(peer)
        send(.group(value), to: peer)
      }
      perform(GroupWork(command: .command(.resume(device.id))), on: group)
    } else {
      tellEligibility(of: device.id, isForced: true)
    }
    resumeSession(of: device, resumption, peer)
    tellTray(of: device)
  }

  private mutating func resumeSession(
    of device: Device, _ resumption: Resumption, _ peer: PeerID
  ) {
    guard let id = device.session, let participant = device.participant,
      let session = sessions[id]?.session
    else {
      if let lost = resumption.session { tellFate(of: lost, to: device, peer) }
      return
    }
    defer { perform(.resume(participant), on: id) }
    // One who is still joining gets its snapshot with the answer.
    guard session.participants[participant] != nil else { return }
    if resumption.session == id, let seq = resumption.seq,
      let missed = sessions[id]?.tail.events(after: seq, upTo: session.seq),
      // A stay that began behind its back begins with a snapshot, like any other.
      !missed.contains(where: { $0.entry.event.isArrival(of: participant) })
    {
      for (seq, entry) in missed {
        send(entry.message(of: id, seq: seq, for: participant), to: peer)
      }
    } else {
      let snapshot = SessionSnapshot(session: session, participant: participant, at: now)
      send(.snapshot(snapshot), to: peer)
    }
    sessions[id]?.addToAudience(peer)
  }

  /// Nobody is left waiting for a session that it is no longer in.
  private mutating func tellFate(of session: SessionID, to device: Device, _ peer: PeerID) {
    if let reason = tombstones[session] {
      send(.sessionOver(session, reason), to: peer)
    } else if case .from(session, let reason)? = device.departure {
      send(.sessionLeft(session, reason), to: peer)
    } else if let group = sessions[session]?.session?.group, group == device.group {
      // It left so long before a crash that nobody knows why any more.
      send(.sessionLeft(session, .connectionLost), to: peer)
    } else {
      send(.error(nil, ProtocolError(.unknownSession, session: session)), to: peer)
    }
  }

  private mutating func welcome(
    _ device: Device, _ hello: Hello, isResumed: Bool, _ peer: PeerID
  ) {
    devices[device.id] = device
    let beats = hello.features.contains(.heartbeat)
    peers.greet(peer, as: device.identity, beats ? .heartbeat : .idle, at: now)
    let welcome = Welcome(
      version: ProtocolVersion.current, server: server, device: device.id,
      token: device.token.text, isResumed: isResumed, at: now,
      features: [.sessions, .heartbeat], limits: WireLimits(limits))
    send(.welcome(welcome), to: peer)
  }
}

extension EventTail.Entry {
  /// The event as one participant is sent it.
  func message(of session: SessionID, seq: Int, for participant: ParticipantID)
    -> ServerMessage
  {
    if case .messageSent(_, let recipients, let source) = event, source != participant,
      !recipients.contains(participant, from: source)
    {
      return .withheld(session, seq: seq)
    }
    return .event(session, seq: seq, at: at, event)
  }
}
