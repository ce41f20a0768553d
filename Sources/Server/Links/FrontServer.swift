package import Coordination
package import EventLoops
package import Logging
package import TLS
package import Transports
package import Vocabulary
import Wire

/// A server that takes people in, and passes on what they say to the server that decides, over a
/// link.
///
/// It knows its connections and nothing else: no group, no session, and of a message only whom it is
/// for. While there is no link, whoever connects waits for some seconds. When a link breaks, everybody
/// behind it is told to come back, and resumes as after a restart. Confined to its loop's thread.
package final class FrontServer {
  package let edge: Edge
  private let id: ServerID
  private let trust: TLSTrust
  private let clock: GroupClock
  private let links: FlushList
  private var stage = Stage.apart
  private var destination: ServerConfiguration.Endpoint?
  private var waiting: WaitingRoom
  /// Who asked which file an address is for, by the question's number.
  private var questions: [UInt32: (String?) -> Void] = [:]
  private var lastQuestion: UInt32 = 0
  private var silence = LinkSilence()
  private var complaint: EndpointError?
  private var dialects: [DialectDoor] = []
  private var timer: LoopTimer?
  private var departure: PeerDrain?
  /// Called when this server begins to send everybody to the others.
  package var onDrain: (() -> Void)?
  /// Called when everybody has been sent there; says whether there still is one that decides.
  package var onDeparture: ((_ isFollowed: Bool) -> Void)?

  private enum Stage {
    case apart
    case connecting(ConnectAttempt)
    /// Connected, but the other end has not said yet that it takes this one.
    case greeting(LineConnection)
    case linked(LineConnection)

    var link: LineConnection? {
      switch self {
      case .apart, .connecting: nil
      case .greeting(let link), .linked(let link): link
      }
    }
  }

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - configuration: the addresses, the encryption and the limits; the rest is the business of the
  ///     server that decides.
  ///   - id: what the servers of the cluster call this one.
  ///   - trust: the key that the servers of the cluster share.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package init(
    _ configuration: ServerConfiguration, named id: ServerID, sharing trust: TLSTrust,
    on loop: EventLoop, log: Logger
  ) throws(EndpointError) {
    (self.id, self.trust) = (id, trust)
    edge = Edge(configuration.limits, on: loop, log: log)
    waiting = WaitingRoom(configuration.limits)
    clock = GroupClock(showing: WallClock.read(), at: loop.now)
    links = FlushList(on: loop, limits: .link(configuration.limits))
    timer = LoopTimer(on: loop) { [weak self] in self?.beat() }
    timer?.fire(at: loop.now + LinkSilence.pause)
    try edge.listen(on: configuration.endpoints, configuration.encryption, for: self)
  }

  /// Serves browsers, too.
  ///
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package func open(_ web: WebConfiguration) throws(EndpointError) -> WebDoor {
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
    part()
    connect()
  }

  /// Tells everybody to come back, to another server or to this one as it will be, and closes.
  package func stop() {
    destination = nil
    departure?.close()
    for peer in waiting.peers { waiting.leave(peer) }
    part()
    edge.stopListening()
    edge.close()
    timer?.close()
    timer = nil
  }

  /// Sends everybody to the other servers; a second call does nothing.
  private func drain() {
    guard departure == nil else { return }
    log.info("sending everybody to the other servers", metadata: ["peers": "\(edge.peerCount)"])
    edge.closeToPeople()
    departure = PeerDrain(
      within: limits.departureTime, on: loop, of: { [unowned self] in edge.peers },
      { [unowned self] peer in
        if waiting.leave(peer) == nil { say(.gone, of: peer) }
        sendBack(peer)
      }, then: { [unowned self] in onDeparture?(isLinked) })
    beatOverLink()
    onDrain?()
  }

  // MARK: The link

  private func connect() {
    guard case .apart = stage, let destination else { return }
    silence.end()
    do throws(EndpointError) {
      stage = .connecting(
        try ConnectAttempt(
          host: destination.host, port: destination.port, under: trust, on: loop
        ) { [weak self] in self?.finish($0) })
    } catch {
      complain(error)
    }
  }

  private func finish(_ result: Result<ByteStream, EndpointError>) {
    stage = .apart
    do throws(EndpointError) {
      let stream = try result.get()
      do throws(UVError) {
        let end = LinkEnd(of: self)
        stage = .greeting(
          try LineConnection(stream, id: Self.linkID, in: links, delegate: end))
      } catch {
        log.warning("the link broke at once", metadata: ["error": "\(error)"])
      }
    } catch {
      complain(error)
    }
  }

  /// Logs why there is no link, each reason once until there is one.
  private func complain(_ error: EndpointError) {
    guard error != complaint else { return }
    complaint = error
    log.warning("the server that decides is not reached", metadata: ["error": "\(error)"])
  }

  /// It is not in the table of peers.
  private static let linkID = PeerID(slot: .max, generation: 0)

  private func begin(_ connection: LineConnection) {
    stage = .linked(connection)
    complaint = nil
    beatOverLink()
    log.info(
      "taking people in for the server that decides",
      metadata: ["address": "\(destination.map { "\($0)" } ?? "")"])
    for peer in waiting.peers {
      guard let (arrival, lines) = waiting.leave(peer), let connection = edge[peer] else {
        continue
      }
      announce(connection, arrival)
      if connection.stream.isSecured { say(.secured, of: peer) }
      for line in lines { pass(line, from: peer) }
      connection.resumeReading()
    }
  }

  /// Gives the link up, and tells everybody behind it to come back.
  private func part() {
    if case .connecting(let attempt) = stage { attempt.cancel() }
    stage.link?.close(after: nil)
    stage = .apart
    let unanswered = questions.values
    questions = [:]
    for completion in unanswered { completion(nil) }
    for peer in edge.peers where !waiting.contains(peer) { sendBack(peer) }
  }

  /// Tells a peer to come back; in a dialect without a word for that, by hanging up.
  private func sendBack(_ peer: PeerID) {
    guard let connection = edge[peer], dialect(of: connection) != nil else {
      return edge.hangUp(on: peer, ProtocolError(.shuttingDown))
    }
    edge.hangUp(on: peer, after: nil, ["reason": "the server that decides is not reached"])
  }

  /// The same because the link is of no use any more, and looks for another one.
  fileprivate func lose(_ link: LineConnection, _ why: String) {
    guard stage.link === link else { return }
    log.warning("the link broke", metadata: ["reason": "\(why)", "peers": "\(edge.peerCount)"])
    part()
    connect()
  }

  private func beat() {
    let isTooLong = silence.isTooLong()
    switch stage {
    case .apart: connect()
    case .connecting where isTooLong:
      part()
      connect()
    case .greeting(let link) where isTooLong, .linked(let link) where isTooLong:
      lose(link, "nothing comes over it")
    case .connecting, .greeting: break
    case .linked: beatOverLink()
    }
    for peer in waiting.beat() {
      waiting.leave(peer)
      sendBack(peer)
    }
    timer?.fire(at: loop.now + LinkSilence.pause)
  }

  /// Says that this server lives, and what it is.
  private func beatOverLink() {
    let state = StatusReport.Server(
      id, version: MatineeVersion.number, peers: edge.peerCount, isDraining: isDraining)
    enqueue(LinkLineWriter(.beat).ended(with: state.text.utf8))
  }

  // MARK: From the server that decides

  fileprivate func receive(_ line: Span<UInt8>, over link: LineConnection) {
    guard let read = LinkLine(line) else { return lose(link, "it says what is not of a link") }
    silence.end()
    if case .greeting = stage { begin(link) }
    switch read.verb {
    case .tell, .news:
      var message = EncodedMessage(line: message(in: line, from: read.start))
      edge.send(&message, to: read.legs, droppable: read.verb == .news)
    case .close:
      let isSilent = read.start == line.count
      var message = EncodedMessage(line: message(in: line, from: read.start))
      for peer in read.legs {
        guard let connection = edge[peer] else { continue }
        let lastWord = isSilent ? nil : message.bytes(for: connection)
        edge.hangUp(on: peer, after: lastWord, ["by": "the server that decides"])
      }
    case .shut: for peer in read.legs { edge.shut(peer) }
    case .encrypt:
      for peer in read.legs {
        guard let identity = edge[peer].flatMap({ dialect(of: $0)?.identity }) else { continue }
        edge.startTLS(with: peer, as: identity)
      }
    case .media:
      let text = line.extracting(read.start...).array
      guard let question = read.legs.first?.slot else { break }
      let path = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      questions.removeValue(forKey: question)?(path == "." ? "" : path)
    case .drain: drain()
    case .connected, .secured, .line, .overlong, .gone, .beat: break
    }
  }

  private func message(in line: Span<UInt8>, from start: Int) -> SharedBytes {
    SharedBytes(capacity: line.count - start + 1) { output in
      for place in start..<line.count { output.append(line[place]) }
      output.append(UInt8(ascii: "\n"))
    }
  }

  // MARK: To the server that decides

  private func announce(_ connection: LineConnection, _ arrival: LegArrival) {
    let line = LinkLineWriter(.connected, connection.id).ended(with: arrival.text.utf8)
    enqueue(line)
  }

  private func pass(_ line: some Collection<UInt8>, from peer: PeerID) {
    enqueue(LinkLineWriter(.line, peer).ended(with: line))
  }

  private func say(_ verb: LinkLine.Verb, of peer: PeerID) {
    enqueue(LinkLineWriter(verb, peer).ended)
  }

  private func enqueue(_ line: [UInt8]) {
    if case .linked(let link) = stage { link.enqueue(SharedBytes(line)) }
  }
}

@available(*, unavailable)
extension FrontServer: Sendable {}

extension FrontServer: EdgeServer {
  package var now: Instant { clock.instant(at: loop.now) }

  package var isReady: Bool { isLinked && edge.isListening }

  package var isDraining: Bool { departure != nil }

  private var isLinked: Bool { if case .linked = stage { true } else { false } }

  package func findMedia(at address: String, _ completion: @escaping (String?) -> Void) {
    guard isLinked else { return completion(nil) }
    lastQuestion &+= 1
    questions[lastQuestion] = completion
    let question = PeerID(slot: lastQuestion, generation: 0)
    enqueue(LinkLineWriter(.media, question).ended(with: address.utf8))
  }

  package func addFigures(to text: inout OpenMetricsText) {
    text.gauge("linked", "Whether the server that decides is reached.", isLinked ? 1 : 0)
    text.gauge("waiting_peers", "Peers that wait for a link.", waiting.count)
  }

  package func didConnect(_ connection: LineConnection, from address: PeerAddress?) {
    receive(connection, LegArrival(host: connection.stream.peerHost))
  }

  /// Handles that a peer of any dialect connected.
  func receive(_ connection: LineConnection, _ arrival: LegArrival) {
    if isLinked { return announce(connection, arrival) }
    if !waiting.enter(connection.id, arrival, at: now) { edge.shut(connection.id) }
  }

  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    let words = line.array
    guard waiting.contains(connection.id) else { return pass(words, from: connection.id) }
    if !waiting.note(words, of: connection.id) { connection.pauseReading() }
  }

  package func connectionDidSecure(_ connection: LineConnection) {
    if !waiting.contains(connection.id) { say(.secured, of: connection.id) }
  }

  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    guard waiting.leave(connection.id) == nil else {
      return edge.hangUp(on: connection.id, ProtocolError(.lineTooLong, limit: limits.lineBytes))
    }
    say(.overlong, of: connection.id)
  }

  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    edge.forget(connection, reason)
    if waiting.leave(connection.id) == nil { say(.gone, of: connection.id) }
  }
}

/// Receives what comes over a link; the link retains it, and it the server.
private final class LinkEnd: LineConnectionDelegate {
  private let server: FrontServer

  init(of server: FrontServer) { self.server = server }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    server.receive(line, over: connection)
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
