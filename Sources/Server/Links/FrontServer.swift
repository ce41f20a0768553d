import Clusters
package import Coordination
package import EventLoops
package import Logging
package import TLS
package import Transports
package import Vocabulary
package import Wire

/// A server that takes people in, and passes on what they say to the server that decides, over a
/// link.
///
/// What it does with both, ``FrontLink`` decides. Confined to its loop's thread.
package final class FrontServer {
  package let edge: Edge
  private var front: FrontLink
  private let trust: TLSTrust
  private let clock: GroupClock
  private let links: FlushList
  private var attempt: ConnectAttempt?
  private var link: LineConnection?
  private var destination: ServerConfiguration.Endpoint?
  /// Who asked which file an address is for, by the question's number.
  private var questions: [UInt32: (FoundMedia) -> Void] = [:]
  private var complaint: EndpointError?
  private var dialects: [DialectDoor] = []
  private var timer: LoopTimer?
  private var departure: PeerDrain?
  private var isStopping = false
  /// Whether the database answers, without which this server cannot take over.
  package var isDatabaseReached = true
  /// Called when this server begins to send everybody to the others.
  package var onDrain: (() -> Void)?
  /// Called when everybody has been sent there; says whether there still is one that decides.
  package var onDeparture: ((_ isFollowed: Bool) -> Void)?

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - configuration: the addresses, the encryption and the limits; the rest is the business of the
  ///     server that decides.
  ///   - id: what the servers of the cluster call this one.
  ///   - access: how people prove who they are once this server decides; `nil` does not say so.
  ///   - trust: the key that the servers of the cluster share.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package init(
    _ configuration: ServerConfiguration, named id: ServerID, access: AccessMode? = nil,
    sharing trust: TLSTrust, on loop: EventLoop, log: Logger
  ) throws(EndpointError) {
    self.trust = trust
    edge = Edge(configuration.limits, on: loop, log: log)
    front = FrontLink(
      of: id, version: MatineeVersion.number, access: access?.rawValue, configuration.limits)
    clock = GroupClock(showing: WallClock.read(), at: loop.now)
    links = FlushList(on: loop, limits: .link(configuration.limits))
    timer = LoopTimer(on: loop) { [weak self] in self?.beat() }
    timer?.fire(at: loop.now + LinkSilence.pause)
    try edge.listen(on: configuration.endpoints, configuration.encryption, for: self)
  }

  /// Serves browsers, too.
  ///
  /// - Throws: `EndpointError`, which says which address cannot be listened on, why, and what to
  ///   do, or the system's error if no thread can be started for the media.
  package func open(_ web: WebConfiguration) throws -> WebDoor {
    try WebDoor(web, at: self)
  }

  /// Adds a dialect, whose lines are passed on as they are.
  func add(_ door: DialectDoor) {
    dialects.append(door)
    edge.add(door)
  }

  private func dialect(of connection: LineConnection) -> DialectDoor? {
    dialects.first { connection.isOn($0.connections) }
  }

  /// Proves itself by this certificate from now on; open connections stay.
  package func use(_ identity: TLSIdentity) { edge.use(identity) }

  /// Links itself to the server that decides; `nil` while nobody knows which one that is.
  package func follow(_ destination: ServerConfiguration.Endpoint?) {
    guard destination != self.destination else { return }
    self.destination = destination
    carryOut(front.follow(isThere: destination != nil))
  }

  /// Tells everybody to come back, to another server or to this one as it will be, and closes.
  package func stop() {
    destination = nil
    isStopping = true
    departure?.close()
    carryOut(front.stop())
    edge.stopListening()
    edge.close()
    timer?.close()
    timer = nil
  }

  /// Sends everybody to the other servers.
  private func drain() {
    log.info("sending everybody to the other servers", metadata: ["peers": "\(edge.peerCount)"])
    edge.closeToPeople()
    departure = PeerDrain(
      within: limits.departureTime, on: loop, of: { [unowned self] in edge.peers },
      { [unowned self] in carryOut(front.dismiss($0)) },
      then: { [unowned self] in onDeparture?(front.isLinked) })
    onDrain?()
  }

  // MARK: The link

  private func connect() {
    guard let destination else { return }
    do throws(EndpointError) {
      attempt = try ConnectAttempt(
        host: destination.host, port: destination.port, under: trust, on: loop
      ) { [weak self] in self?.finish($0) }
    } catch {
      complain(error)
    }
  }

  private func finish(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    do throws(EndpointError) {
      let stream = try result.get()
      do throws(UVError) {
        link = try LineConnection(
          stream, id: Self.linkID, in: links, delegate: LinkEnd(of: self))
        front.didConnect()
      } catch {
        log.warning("the link broke at once", metadata: ["error": "\(error)"])
        front.didFail()
      }
    } catch {
      complain(error)
    }
  }

  /// Logs why there is no link, each reason once until there is one.
  private func complain(_ error: EndpointError) {
    front.didFail()
    guard error != complaint else { return }
    complaint = error
    log.warning("the server that decides is not reached", metadata: ["error": "\(error)"])
  }

  /// It is not in the table of peers.
  private static let linkID = PeerID(slot: .max, generation: 0)

  fileprivate func hear(_ line: Span<UInt8>, over link: LineConnection) {
    guard link === self.link else { return }
    for output in front.hear(line) { carryOut(output, hearing: line) }
  }

  fileprivate func lose(_ link: LineConnection, _ why: String) {
    guard link === self.link else { return }
    carryOut(front.didBreak(why))
  }

  private func beat() {
    carryOut(front.beat())
    timer?.fire(at: loop.now + LinkSilence.pause)
  }

  // MARK: What the value decides

  private func carryOut(_ outputs: [FrontLink.Output]) {
    let nothing: [UInt8] = []
    for output in outputs { carryOut(output, hearing: nothing.span) }
  }

  private func carryOut(_ output: FrontLink.Output, hearing line: Span<UInt8>) {
    switch output {
    case .connect: connect()
    case .disconnect: disconnect()
    case .send(let line): link?.enqueue(SharedBytes(line))
    case .tell(let peers, let start, let isDroppable):
      var message = EncodedMessage(line: message(in: line, from: start))
      edge.send(&message, to: peers, droppable: isDroppable)
    case .close(let peer, let start):
      guard let connection = edge[peer] else { break }
      let lastWord = start.map { start in
        var message = EncodedMessage(line: message(in: line, from: start))
        return message.bytes(for: connection)
      }
      edge.hangUp(on: peer, after: lastWord, ["by": "the server that decides"])
    case .shut(let peer): edge.shut(peer, because: "the server that decides does not take a peer")
    case .turnAway(let peer): edge.shut(peer, because: "too many wait for a link")
    case .encrypt(let peer):
      guard let identity = edge[peer].flatMap({ dialect(of: $0)?.identity }) else { break }
      edge.startTLS(with: peer, as: identity)
    case .sendBack(let peer): sendBack(peer)
    case .refuse(let peer):
      edge.hangUp(on: peer, ProtocolError(.lineTooLong, limit: limits.lineBytes))
    case .charge(let peer, let start): charge(peer, line.extracting(start...))
    case .pauseReading(let peer): edge[peer]?.pauseReading()
    case .resumeReading(let peer): edge[peer]?.resumeReading()
    case .answer(let question, let start): answer(question, line.extracting(start...))
    case .giveUp(let question): complete(question, .unknown)
    case .drain: drain()
    case .linked:
      complaint = nil
      log.info(
        "taking people in for the server that decides",
        metadata: ["address": "\(destination.map { "\($0)" } ?? "")"])
    case .broken(let why):
      log.warning("the link broke", metadata: ["reason": "\(why)", "peers": "\(edge.peerCount)"])
    }
  }

  private func disconnect() {
    attempt?.cancel()
    attempt = nil
    let link = link
    self.link = nil
    link?.close(after: nil)
  }

  /// Tells a peer to come back; in a dialect without a word for that, by hanging up.
  private func sendBack(_ peer: PeerID) {
    let isLeaving = isStopping || front.isDraining
    let why = isLeaving ? ErrorCode.shuttingDown.meaning : "the server that decides is not reached"
    guard let connection = edge[peer], dialect(of: connection) != nil else {
      return edge.hangUp(on: peer, ProtocolError(.shuttingDown, why), because: why)
    }
    edge.hangUp(on: peer, after: nil, ["reason": "\(why)"])
  }

  /// Takes time of the server that decides from the allowance that a peer's address has here.
  private func charge(_ peer: PeerID, _ text: Span<UInt8>) {
    guard let microseconds = Int(String(decoding: text.array, as: UTF8.self)) else { return }
    edge.charge(.microseconds(microseconds), to: peer)
  }

  private func answer(_ question: UInt32, _ text: Span<UInt8>) {
    complete(question, FoundMedia(answer: String(decoding: text.array, as: UTF8.self)))
  }

  private func complete(_ question: UInt32, _ found: FoundMedia) {
    questions.removeValue(forKey: question)?(found)
  }

  private func message(in line: Span<UInt8>, from start: Int) -> SharedBytes {
    SharedBytes(capacity: line.count - start + 1) { output in
      for place in start..<line.count { output.append(line[place]) }
      output.append(UInt8(ascii: "\n"))
    }
  }
}

@available(*, unavailable)
extension FrontServer: Sendable {}

extension FrontServer: EdgeServer {
  package var now: Instant { clock.instant(at: loop.now) }

  package var obstacle: String? {
    guard edge.isListening else { return "This server stops." }
    return front.isLinked ? nil : "The server that decides is not reached."
  }

  package var isDraining: Bool { front.isDraining }

  package func findMedia(at address: String, _ completion: @escaping (FoundMedia) -> Void) {
    guard let (number, outputs) = front.ask(aboutMediaAt: address) else {
      return completion(.unknown)
    }
    questions[number] = completion
    carryOut(outputs)
  }

  package func addFigures(to text: inout OpenMetricsText) {
    text.gauge(
      "linked", "Whether the server that decides is reached.", front.isLinked ? 1 : 0)
    text.gauge("waiting_peers", "Peers that wait for a link.", front.waitingCount)
    text.gauge(
      "database_reached", "Whether the journal's database answers.", isDatabaseReached ? 1 : 0)
  }

  /// An address of this machine from which nobody else connects.
  private static let proxiedHost = "127.255.255.254"

  package func didConnect(_ connection: LineConnection, from address: PeerAddress?) {
    // The server that decides counts guesses by host: who may have come through a proxy on this machine
    // counts apart from the machine's own people, as there.
    let isProxied = address?.isProxied == true
    receive(connection, LegArrival(host: isProxied ? Self.proxiedHost : connection.host))
  }

  /// Handles that a peer of any dialect connected.
  func receive(_ connection: LineConnection, _ arrival: LegArrival) {
    carryOut(front.connect(connection.id, arrival, at: now))
  }

  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    carryOut(front.receive(line.array, from: connection.id))
  }

  package func connectionDidSecure(_ connection: LineConnection) {
    carryOut(front.secure(connection.id))
  }

  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    carryOut(front.receiveOverlongLine(from: connection.id))
  }

  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    edge.forget(connection, reason)
    carryOut(front.lose(connection.id))
  }
}

/// Receives what comes over a link; the link retains it, and it the server.
private final class LinkEnd: LineConnectionDelegate {
  private let server: FrontServer

  init(of server: FrontServer) { self.server = server }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    server.hear(line, over: connection)
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    server.lose(connection, "a line is too long")
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    server.lose(connection, "\(reason)")
  }
}

@available(*, unavailable)
extension LinkEnd: Sendable {}
