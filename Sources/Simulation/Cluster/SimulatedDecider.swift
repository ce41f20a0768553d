import Clusters
import Coordination
import GroupSessions
import UserNotifications
import Vocabulary
import Wire

/// The server that decides, of a simulated cluster: the real coordinator and the real ends of its
/// links, with a writer that has one batch in flight.
struct SimulatedDecider: Sendable {
  private let limits: Limits
  private var coordinator: Coordinator
  private var legs = LegTable()
  private var generator: SplitMix64
  private var lastSlot: UInt32 = 0
  private var peers = PeerNumbers()
  private var links = PeerNumbers()
  /// What is to be written next.
  private var queue: [SimulatedDatabase.Write] = []
  /// What the database was asked to keep; whether it has is not known yet.
  private var inFlight: [SimulatedDatabase.Write]?
  private var batch = 0
  /// Whether the database is not reached, so that nothing more can be asked of it.
  private var isCutOff = false

  init(_ limits: Limits, seed: UInt64) {
    self.limits = limits
    coordinator = Coordinator(limits: limits, server: "matinee/simulated")
    generator = SplitMix64(seed: seed)
  }

  /// How many people are connected, here and at the servers in front.
  var peerCount: Int { peers.count + legs.peerCount }

  var nextDeadline: Instant? { coordinator.nextDeadline }

  /// Does something at an instant.
  mutating func perform(
    _ act: (inout SimulatedDecider, Instant) -> [NodeEffect], at now: Instant
  ) -> [NodeEffect] {
    act(&self, now)
  }

  /// Goes on from the journal.
  mutating func start(from recovery: Recovery, at now: Instant) -> [NodeEffect] {
    take(.recovered(recovery), at: now)
  }

  mutating func advanceClock(to now: Instant) -> [NodeEffect] { take(.clockAdvanced, at: now) }

  /// Tells everybody to come back.
  mutating func stop(at now: Instant) -> [NodeEffect] { take(.stop(isResumable: true), at: now) }

  private mutating func freshPeer() -> PeerID {
    lastSlot += 1
    return PeerID(slot: lastSlot, generation: 0)
  }

  // MARK: Its own people

  mutating func accept(_ connection: Int, at now: Instant) -> [NodeEffect] {
    let peer = freshPeer()
    peers.add(peer, connection)
    return take(.connected(peer), at: now)
  }

  mutating func receive(
    _ message: ClientMessage, over connection: Int, at now: Instant
  ) -> [NodeEffect] {
    peers[connection].map { take(.received($0, message), at: now) } ?? []
  }

  mutating func lose(_ connection: Int, at now: Instant) -> [NodeEffect] {
    peers.remove(connection).map { take(.disconnected($0), at: now) } ?? []
  }

  /// Sends one of the people here to another server; `nil` once nobody is left.
  mutating func sendOneBack(at now: Instant) -> [NodeEffect]? {
    peers.first.map { take(.sendBack($0), at: now) }
  }

  // MARK: Servers in front

  /// Whether a server in front could go on without another one.
  func isFollowed(without id: ServerID) -> Bool {
    legs.states.contains { $0.id != id && !$0.isDraining }
  }

  /// Drains a server in front.
  mutating func drain(_ id: ServerID) -> [NodeEffect] {
    legs.drain(id).compactMap { links.connection(of: $0) }.map {
      .say(LinkLineWriter(.drain).ended, over: $0)
    }
  }

  /// A server in front has connected, and shown the key.
  mutating func acceptLink(_ connection: Int) -> [NodeEffect] {
    let peer = freshPeer()
    links.add(peer, connection)
    legs.add(peer)
    legs.take(peer)
    return [.say(LinkLineWriter(.beat).ended, over: connection)]
  }

  mutating func hear(_ line: [UInt8], over connection: Int, at now: Instant) -> [NodeEffect] {
    guard let link = links[connection] else { return [] }
    var slot = lastSlot
    let said = legs.hear(line.span, over: link) { _ in
      slot += 1
      return PeerID(slot: slot, generation: 0)
    }
    lastSlot = slot
    switch said {
    case .connected(let peer, _, let link): return take(.connected(peer, over: link), at: now)
    case .secured(let peer): return take(.secured(peer), at: now)
    case .line(let peer, let start): return receive(line[start...], from: peer, at: now)
    case .overlong(let peer):
      let error = ProtocolError(.lineTooLong, limit: limits.lineBytes)
      return take(.malformed(peer, nil, error), at: now)
    case .gone(let peer): return take(.disconnected(peer), at: now)
    case .cut: return [.closeLink(connection)] + loseLink(connection, at: now)
    case .media, .unserved, .arrived, .servers, nil: return []
    }
  }

  private mutating func receive(
    _ line: ArraySlice<UInt8>, from peer: PeerID, at now: Instant
  ) -> [NodeEffect] {
    var decoder = ClientLineDecoder(limits: limits)
    do throws(MalformedLine) {
      return take(.received(peer, try decoder.decode(Array(line).span)), at: now)
    } catch {
      return take(.malformed(peer, error.request, error.error), at: now)
    }
  }

  mutating func loseLink(_ connection: Int, at now: Instant) -> [NodeEffect] {
    guard let link = links.remove(connection), let peers = legs.remove(link) else { return [] }
    return peers.flatMap { take(.disconnected($0), at: now) }
  }

  mutating func beat(at now: Instant) -> [NodeEffect] {
    let (living, silent) = legs.beat()
    let beats = living.compactMap { link in
      links.connection(of: link).map { NodeEffect.say(LinkLineWriter(.beat).ended, over: $0) }
    }
    return beats
      + silent.compactMap { links.connection(of: $0) }.flatMap { connection in
        [.closeLink(connection)] + loseLink(connection, at: now)
      }
  }

  // MARK: The writer

  /// The database has kept what was in flight.
  mutating func didKeep(at now: Instant) -> [NodeEffect] {
    let writes = inFlight ?? []
    (inFlight, isCutOff) = (nil, false)
    let effects = writes.flatMap { write -> [NodeEffect] in
      if case .append(let append) = write { take(.appended(append, .kept), at: now) } else { [] }
    }
    return effects + flush(at: now)
  }

  /// The database is not reached: whether it has kept what is in flight is not known.
  mutating func didLoseDatabase(at now: Instant) -> [NodeEffect] {
    isCutOff = true
    let effects = (inFlight ?? []).flatMap { write -> [NodeEffect] in
      if case .append(let append) = write { take(.appended(append, .unknown), at: now) } else { [] }
    }
    return effects + flush(at: now)
  }

  /// The database is reached again.
  mutating func didReachDatabase(at now: Instant) -> [NodeEffect] {
    isCutOff = false
    return inFlight.map { [.write($0, number: batch)] } ?? flush(at: now)
  }

  /// Writes what waits, unless a batch is in flight.
  private mutating func flush(at now: Instant) -> [NodeEffect] {
    guard !isCutOff else { return fail(at: now) }
    guard inFlight == nil, !queue.isEmpty else { return [] }
    batch += 1
    inFlight = queue
    queue = []
    return inFlight.map { [.write($0, number: batch)] } ?? []
  }

  /// Fails what cannot be written; ends of streams wait, and snapshots are made again.
  private mutating func fail(at now: Instant) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    while let place = queue.firstIndex(where: { if case .forget = $0 { false } else { true } }) {
      if case .append(let append) = queue.remove(at: place) {
        effects += take(.appended(append, .failed), at: now)
      }
    }
    return effects
  }

  // MARK: The coordinator

  private mutating func take(_ input: Input, at now: Instant) -> [NodeEffect] {
    let wanted = coordinator.wantedEntropy
    if wanted > 0 { coordinator.refill(with: (0..<wanted).map { _ in generator.next() }) }
    var effects: [NodeEffect] = []
    for output in coordinator.handle(input, at: now) {
      switch output {
      case .send(let message, let peers): effects += send(message, to: peers)
      case .publish(let message, let peers, let relay):
        effects += send(message, to: .many(peers), and: relay)
      case .audience(let order):
        let (receivers, line) = legs.carryOut(order)
        effects += receivers.compactMap { links.connection(of: $0) }.map { .say(line, over: $0) }
      case .close(let peer, let error):
        let line = encode(ServerMessage.closing(error)).dropLast()
        effects += close(peer, after: .closing(error), legs.close(peer, after: line))
      case .shut(let peer): effects += close(peer, after: nil, legs.close(peer, after: nil))
      case .append(let append): queue.append(.append(append))
      case .snapshot(let state): queue.append(.snapshot(state))
      case .forget(let aggregate): queue.append(.forget(aggregate))
      case .push(_, let attempt): effects += take(.pushEnded(attempt, .refused), at: now)
      // Nobody here asks for a drain, and a simulated server logs nothing.
      case .drain, .warn: break
      }
    }
    return effects + flush(at: now)
  }

  private mutating func send(
    _ message: ServerMessage, to peers: Peers, and relay: AudienceRelay? = nil
  ) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    for peer in peers {
      if let connection = self.peers.connection(of: peer) {
        effects.append(.send(message, over: connection))
      } else {
        legs.address(peer)
      }
    }
    var headers = legs.takeAudiences(isDroppable: false)
    if let relay { headers += legs.headers(for: relay, isDroppable: false) }
    guard !headers.isEmpty else { return effects }
    let line = encode(message).dropLast()
    return effects
      + headers.compactMap { link, header in
        links.connection(of: link).map { .say(header.ended(with: line), over: $0) }
      }
  }

  /// Closes a peer, or has its server close it.
  private mutating func close(
    _ peer: PeerID, after message: ServerMessage?, _ order: (connection: PeerID, line: [UInt8])?
  ) -> [NodeEffect] {
    if let order, let link = links.connection(of: order.connection) {
      return [.say(order.line, over: link)]
    }
    guard let connection = peers.connection(of: peer) else { return [] }
    peers.remove(connection)
    return (message.map { [.send($0, over: connection)] } ?? []) + [.close(connection)]
  }
}
