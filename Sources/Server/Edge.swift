import Coordination
package import EventLoops
import JSON
import Logging
import TLS
import Transports
import Vocabulary
import WebSocket
import Wire

/// The connections of a server, whatever they speak: where it listens, who is connected, what waits
/// for them, and what each address takes of the loop's time.
///
/// Confined to its loop's thread.
package final class Edge {
  package let loop: EventLoop
  let limits: Limits
  let log: Logger
  /// The native peers that speak lines.
  let connections: FlushList
  /// What waits for peers, whatever their protocol.
  let backlogs: Backlogs
  /// What each address takes of the loop's time.
  private let shares: LoopShares<PeerAddress>
  private var table = ConnectionTable()
  /// The connections of each protocol.
  private(set) var lists: [(dialect: String, list: FlushList)]
  private var listeners: [TCPListener] = []
  /// All ways in but the server's own addresses; those of dialects among them.
  private var doors: [any Door] = []
  private var nextComplaint: HostTime?
  /// Reaches the peers that came in at servers in front of this one; `nil` if none do.
  var links: LinkDoor?

  init(_ limits: Limits, on loop: EventLoop, log: Logger) {
    (self.loop, self.limits, self.log) = (loop, limits, log)
    shares = LoopShares(limits, on: loop)
    backlogs = Backlogs(atMost: limits.backlogBytes)
    connections = FlushList(
      on: loop,
      limits: ConnectionLimits(limits, lineBytes: limits.lineBytes),
      lastWordToSlow: EncodedMessage(.closing(ProtocolError(.slowConsumer))).line,
      backlogs: backlogs)
    lists = [("native", connections)]
  }

  /// The addresses that it listens on, with the ports that the system chose.
  var endpoints: [String] { listeners.map(\.localEndpoint) }

  /// Whether it takes connections.
  var isListening: Bool { !listeners.isEmpty }

  /// How many connections are open.
  var peerCount: Int { table.count }

  /// How many connections a list has.
  func count(of list: FlushList) -> Int { table.count(of: list) }

  /// How often an address had used up its share of the server's time.
  var restCount: Int { shares.restCount }

  /// Listens for native peers.
  ///
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  func listen(
    on endpoints: [ServerConfiguration.Endpoint], _ encryption: Encryption,
    for server: some EdgeServer
  ) throws(EndpointError) {
    for endpoint in endpoints {
      let security = StreamSecurity(
        identity: encryption.identity,
        allowsPlaintext: encryption.allowsPlaintext || endpoint.isLoopback,
        answerToPlaintext: EncodedMessage(.closing(ProtocolError(.tlsRequired))).line)
      listeners.append(
        try TCPListener(
          host: endpoint.host, port: endpoint.port, sparesDescriptors: true, security: security,
          on: loop, delegate: server))
    }
  }

  /// Adds a way in, which is closed with the others.
  func add(_ door: any Door) { doors.append(door) }

  /// Names the connections of a protocol.
  func add(_ list: FlushList, of dialect: String) { lists.append((dialect, list)) }

  /// Proves itself by this certificate from now on; open connections stay.
  func use(_ identity: TLSIdentity) {
    for listener in listeners { listener.security = listener.security?.with(identity) }
    for door in doors { door.use(identity) }
  }

  /// Lets no more people in; servers in front and who collects figures still come.
  func closeToPeople() {
    closeListeners()
    for door in doors where door.isForPeople { door.stopListening() }
  }

  private func closeListeners() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// Accepts no more connections; open ones stay.
  func stopListening() {
    closeListeners()
    for door in doors { door.stopListening() }
  }

  /// Measures no address's time any more; for a server that stops.
  func close() { shares.close() }

  /// Logs that a connection could not be accepted; open connections continue.
  func complain(of error: UVError) {
    guard nextComplaint.map({ $0 <= loop.now }) ?? true else { return }
    nextComplaint = loop.now + Self.complaintInterval
    guard error.code == .tooManyOpenFiles else {
      return log.error("could not accept a connection", metadata: ["error": "\(error)"])
    }
    log.error(
      "no descriptor is left, whoever connects now is hung up on: raise the limit (ulimit -Hn)",
      metadata: ["peers": "\(table.count)", "error": "\(error)"])
  }

  /// The shortest time between two log lines about failing connections; without a free descriptor
  /// each one fails.
  private static let complaintInterval = Duration.seconds(60)
}

@available(*, unavailable)
extension Edge: Sendable {}

// MARK: Connections

extension Edge {
  subscript(peer: PeerID) -> LineConnection? { table[peer] }

  /// All peers with a connection.
  var peers: [PeerID] { table.peers }

  /// The number of the dialect that a peer belongs to; `nil` for native and unknown peers.
  func dialect(of peer: PeerID) -> Int? { table.dialect(of: peer) }

  /// Reserves a peer without a connection, for a dialect.
  func reserve(for dialect: Int?) -> PeerID { table.reserve(for: dialect) }

  /// Frees the slot of a peer; its connection, if it has one, is not closed.
  func remove(_ peer: PeerID) { table.remove(peer) }

  /// Lets an address pay for the time that it takes to read a connection; this machine's pays nothing,
  /// because a proxy's connections are everybody's.
  func meter(_ stream: ByteStream, from address: PeerAddress?) {
    guard let address, !address.isLoopback else { return }
    shares.add(stream, from: address)
  }

  /// Lets a peer's address pay for time that it took of another server.
  func charge(_ time: Duration, to peer: PeerID) {
    guard let host = table[peer]?.host, let address = PeerAddress(host: host) else {
      return
    }
    shares.charge(time, to: address)
  }

  /// Makes a peer for a connection; `nil` if the connection failed at once.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - list: writes what waits for the peer.
  ///   - dialect: the number of the dialect that the peer belongs to; `nil` for the native protocol.
  ///   - webSocket: reads frames in place of lines.
  ///   - client: the peer's address if a trusted proxy passes the connection on.
  ///   - delegate: receives the lines.
  func admit(
    _ stream: ByteStream, to list: FlushList, for dialect: Int? = nil,
    through webSocket: WebSocketSession? = nil, from client: String? = nil,
    delegate: any LineConnectionDelegate
  ) -> PeerID? {
    let id = table.reserve(for: dialect)
    do throws(UVError) {
      let connection = try LineConnection(
        stream, id: id, in: list, through: webSocket, for: client, delegate: delegate)
      table.insert(connection)
      return id
    } catch {
      table.remove(id)
      log.warning("a connection broke at once", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// The list for native peers that speak in a WebSocket's frames.
  func webSocketList() -> FlushList {
    var lastWord = EncodedMessage(.closing(ProtocolError(.slowConsumer)))
    let list = FlushList(
      on: loop, limits: ConnectionLimits(limits, lineBytes: limits.lineBytes),
      lastWordToSlow: lastWord.frame, backlogs: backlogs)
    add(list, of: "websocket")
    return list
  }

  /// Frees the slot of a connection that has closed itself.
  func forget(_ connection: LineConnection, _ reason: CloseReason) {
    table.remove(connection.id)
    if case .failed(.security(let fault)) = reason {
      return log.info(
        "closing a connection", metadata: ["peer": "\(connection.id)", "reason": "\(fault)"])
    }
    guard case .slow(let waitingBytes) = reason else { return }
    log.info(
      "dropped a peer that does not read",
      metadata: [
        "peer": "\(connection.id)", "waitingBytes": "\(waitingBytes)",
        "code": "\(ErrorCode.slowConsumer.rawValue)",
      ])
  }

  /// Whether a peer has a connection, here or at a server in front.
  func reaches(_ peer: PeerID) -> Bool { table[peer] != nil || links?.reaches(peer) == true }

  /// Closes a connection without a word, and logs why.
  func shut(_ peer: PeerID, because why: Logger.Message) {
    guard reaches(peer) else { return table.remove(peer) }
    let connection = table[peer]
    let who: Logger.Metadata =
      connection.map { ["address": "\($0.host)"] } ?? ["peer": "\(peer)"]
    log.info(why, metadata: who)
    table.remove(peer)
    if let connection {
      connection.close()
    } else {
      links?.shut(peer)
    }
  }

  /// Closes a connection after a last message, and logs why.
  ///
  /// - Parameters:
  ///   - peer: whose connection it is.
  ///   - lastMessage: the message; `nil` for none.
  ///   - why: the reason, for the log.
  ///   - isToBlame: whether the log has the address, which an operator may want to block.
  func hangUp(
    on peer: PeerID, after lastMessage: SharedBytes?, _ why: Logger.Metadata,
    isToBlame: Bool = true
  ) {
    guard reaches(peer) else { return }
    let connection = table[peer]
    var why = why
    why["peer"] = "\(peer)"
    if isToBlame { why["address"] = connection.map { "\($0.host)" } }
    log.info("closing a connection", metadata: why)
    table.remove(peer)
    if let connection {
      connection.close(after: lastMessage)
    } else {
      links?.close(peer, after: lastMessage)
    }
  }

  /// Closes a connection after an error's message; the log has its code, because the message may
  /// quote the peer, and peers send credentials.
  ///
  /// - Parameters:
  ///   - peer: who is at the other end.
  ///   - error: what it is told.
  ///   - reason: what the log says; `nil` says what the code means.
  func hangUp(on peer: PeerID, _ error: ProtocolError, because reason: String? = nil) {
    var encoded = EncodedMessage(.closing(error))
    let message = table[peer].map { encoded.bytes(for: $0) } ?? encoded.line
    var why: Logger.Metadata = [
      "code": "\(error.code.rawValue)", "reason": "\(reason ?? error.code.meaning)",
    ]
    // Of a credential, the cause is a word of this server.
    if error.code == .credentialRefused { why["cause"] = error.reason.map { "\($0)" } }
    // When the server stops, everybody is hung up on.
    hangUp(on: peer, after: message, why, isToBlame: error.code != .shuttingDown)
  }

  /// Encrypts what a connection carries from the next byte on.
  func startTLS(with peer: PeerID, as identity: TLSIdentity) {
    if let connection = table[peer] {
      connection.startTLS(as: identity)
    } else {
      links?.encrypt(peer)
    }
  }

  /// Sends encoded lines; `nil` sends nothing.
  ///
  /// - Parameter isPatient: whether the lines may be held until the next other line, so that both
  ///   leave in one write.
  func send(_ bytes: SharedBytes?, to peers: Peers, patient isPatient: Bool = false) {
    guard let bytes else { return }
    for peer in peers {
      if let connection = table[peer] {
        connection.enqueue(bytes, patient: isPatient)
      } else {
        links?.address(peer)
      }
    }
    links?.send(bytes)
  }

  /// Sends a message to native peers, encoded once for each encoding in use.
  ///
  /// - Parameter relay: the part of its audience that servers in front keep.
  func send(
    _ message: inout EncodedMessage, to peers: some Sequence<PeerID>,
    and relay: AudienceRelay? = nil, droppable: Bool
  ) {
    for peer in peers {
      if let connection = table[peer] {
        connection.enqueue(message.bytes(for: connection), droppable: droppable)
      } else {
        links?.address(peer)
      }
    }
    links?.send(message.line, to: relay, droppable: droppable)
  }
}

extension ConnectionLimits {
  /// The limits of one connection, from the server's limits and the longest line.
  init(_ limits: Limits, lineBytes: Int) {
    self.init(
      lineBytesMaximum: lineBytes, backlogBytesMaximum: limits.outboundBytes,
      droppableBytesMaximum: limits.droppableBytes, drainTime: limits.drainDeadline)
  }

  /// The limits of a link, over which a server in front says everything.
  ///
  /// 64 MiB may wait, a few seconds of a busy machine's traffic; a line may name a hundred thousand
  /// peers before the largest session.
  static func link(_ limits: Limits) -> ConnectionLimits {
    ConnectionLimits(
      lineBytesMaximum: limits.outboundBytes + 4 * 1024 * 1024,
      backlogBytesMaximum: 64 * 1024 * 1024, droppableBytesMaximum: 8 * 1024 * 1024,
      drainTime: limits.drainDeadline)
  }
}

extension LoopShares<PeerAddress> {
  /// The shares of a server's addresses.
  convenience init(_ limits: Limits, on loop: EventLoop) {
    let perSecond = max(limits.addressTimePerSecond, .microseconds(1))
    self.init(
      on: loop, burst: limits.addressTimeBurst,
      refilledIn: .seconds(limits.addressTimeBurst / perSecond), sources: limits.guessers)
  }
}
