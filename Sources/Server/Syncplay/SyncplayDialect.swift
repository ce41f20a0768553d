package import Clusters
import Coordination
import DequeModule
package import EventLoops
package import Journals
import Logging
package import Syncplay
package import TLS
import Transports
package import Vocabulary
package import Wire

/// The addresses and options for Syncplay's clients.
package struct SyncplayConfiguration: Sendable {
  package var endpoints: [ServerConfiguration.Endpoint]
  package var options: SyncplayOptions
  /// What the server proves itself by to clients that ask for encryption; `nil` offers none.
  ///
  /// Clients check it against their authorities, so one that the server made itself would shut them
  /// out.
  package var identity: TLSIdentity?
  /// Whether clients on other machines may do without encryption.
  package var allowsPlaintext: Bool

  /// A configuration.
  package init(
    endpoints: [ServerConfiguration.Endpoint], options: SyncplayOptions,
    identity: TLSIdentity? = nil, allowsPlaintext: Bool = true
  ) {
    self.endpoints = endpoints
    self.options = options
    self.identity = identity
    self.allowsPlaintext = allowsPlaintext
  }

  /// Whether clients at an address must encrypt.
  func mustEncrypt(at endpoint: ServerConfiguration.Endpoint) -> Bool {
    !endpoint.isLoopback && !allowsPlaintext
  }

  /// The door of these addresses, which does not listen yet.
  func door(on edge: Edge) -> DialectDoor {
    // A client that does not read is sent no last message, because clients do not reconnect after
    // an Error.
    let connections = FlushList(
      on: edge.loop, limits: ConnectionLimits(edge.limits, lineBytes: SyncplayLimits.lineBytes),
      linesEndingWith: .carriageReturnLineFeed, backlogs: edge.backlogs)
    return DialectDoor(named: SyncplayDialect.name, connections, as: identity, on: edge)
  }
}

/// Syncplay's protocol on a server: its lobby, its connections, and the exchange between the lobby
/// and the coordinator.
///
/// The server retains the dialect, and the dialect does not retain the server. Inputs from
/// connections come through ``SyncplayEntrance``, which retains both, so that the server exists as long
/// as a connection is open.
package final class SyncplayDialect: Dialect {
  private unowned let server: MatineeServer
  private let statistics: VersionStatistics?
  private let door: DialectDoor
  private var lobby: SyncplayLobby
  private var encoder = SyncplayLineEncoder()
  private var decoder: SyncplayLineDecoder
  private var pool = SharedBytesPool()
  private var waiting: Deque<SyncplayLobby.Input> = []

  /// Starts listening, and continues the rooms that the server recovered from its journal.
  ///
  /// - Parameters:
  ///   - configuration: the addresses and options.
  ///   - server: the server, which has finished its recovery.
  ///   - statistics: counts the clients' versions; its owner closes it.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  @discardableResult
  package init(
    _ configuration: SyncplayConfiguration, on server: MatineeServer,
    statistics: VersionStatistics? = nil
  ) throws(EndpointError) {
    self.server = server
    self.statistics = statistics
    door = configuration.door(on: server.edge)
    var options = configuration.options
    options.offersTLS = configuration.identity != nil
    lobby = SyncplayLobby(options, limits: server.limits)
    decoder = SyncplayLineDecoder(options)
    for endpoint in configuration.endpoints {
      let entrance = SyncplayEntrance(
        to: self, of: server, mustEncrypt: configuration.mustEncrypt(at: endpoint))
      try door.listen(at: endpoint, delegate: entrance)
    }
    server.add(self)
    take(.recovered(server.coordinator.groups(ofSessionsBegunBy: SyncplayLobby.keeper)))
  }

  package var endpoints: [String] { door.endpoints }

  package var name: String { Self.name }

  /// What servers in front call it.
  static let name = "syncplay"

  package var nextDeadline: Instant? { lobby.nextDeadline }

  package func stopListening() { door.stopListening() }

  // MARK: Inputs

  package func advanceClock() { take(.clockAdvanced) }

  package func use(_ identity: TLSIdentity) { door.use(identity) }

  package func receive(_ message: ServerMessage, for peers: Peers) {
    take(.heard(message, by: peers))
  }

  package var isManaged: @Sendable (GroupID) -> Bool { { ManagedRoom($0.text) != nil } }

  package func refuse(_ peer: PeerID, _ error: ProtocolError) { take(.refused(peer, error)) }

  package func lose(_ peer: PeerID) { take(.disconnected(peer)) }

  package func connect(_ peer: PeerID, _ arrival: LegArrival) {
    // The lobby first, because it must know the peer before the coordinator can refuse it.
    take(.connected(peer, address: arrival.host, mustEncrypt: arrival.mustEncrypt))
    server.take(.connected(peer, from: PeerAddress(host: arrival.host)))
  }

  package func receive(_ line: Span<UInt8>, from peer: PeerID) {
    take(.received(peer, decoder.decode(line)))
  }

  /// Closes without an Error, as Syncplay's own server and clients do.
  package func receiveOverlongLine(from peer: PeerID) {
    server.edge.hangUp(
      on: peer, after: nil, ["reason": "a line is longer than \(SyncplayLimits.lineBytes) bytes"])
    take(.disconnected(peer))
  }

  package func handleNextInput(at now: Instant) {
    guard let input = waiting.popFirst() else { return }
    handle(input, at: now)
  }

  /// Makes a peer for a new connection.
  fileprivate func admit(_ stream: ByteStream, mustEncrypt: Bool, delegate: SyncplayEntrance) {
    let host = stream.peerHost
    server.edge.meter(stream, from: PeerAddress(host: host))
    guard let id = server.admit(stream, to: door.connections, for: self, delegate: delegate) else {
      return
    }
    connect(id, LegArrival(host: host, dialect: name, mustEncrypt: mustEncrypt))
  }

  /// Passes an input to the lobby, now or after the inputs that the server is handling.
  fileprivate func take(_ input: SyncplayLobby.Input) {
    guard !server.enter({ now in handle(input, at: now) }) else { return }
    waiting.append(input)
    server.wait(for: self)
  }

  private func handle(_ input: SyncplayLobby.Input, at now: Instant) {
    for output in lobby.handle(input, at: now) { perform(output, at: now) }
  }

  // MARK: Outputs

  private func perform(_ output: SyncplayLobby.Output, at now: Instant) {
    switch output {
    case .tell(let peer, let message): server.take(.received(peer, message))
    case .connect(let peer): server.take(.connected(peer))
    case .disconnect(let peer): server.release(peer)
    case .abandon(let device): server.take(.abandoned(device))
    case .state(let state, let peer): server.edge.send(encode(state), to: .one(peer))
    case .send(let message, let peers): server.edge.send(encode(message), to: peers)
    case .post(let news, let peers): server.edge.send(encode(news), to: peers, patient: true)
    case .close(let peer, let fault): hangUp(on: peer, fault)
    case .startTLS(let peer):
      if let identity = door.identity { server.edge.startTLS(with: peer, as: identity) }
    case .count(let versions): statistics?.record(versions, at: now)
    case .knock(let peer, let room, let group, let password):
      let isKey = SyncplayHash.isPassword(password, of: server.coordinator.key(of: group))
      take(.answered(peer, room: room, isKey: isKey))
    case .reserve(let room, let device):
      let peer = server.reservePeer(for: self)
      take(.reserved(peer, room: room, resuming: server.coordinator.resumption(of: device)))
    }
  }

  private func hangUp(on peer: PeerID, _ fault: SyncplayFault?) {
    let lastMessage = fault.flatMap { encode(.error($0.message)) }
    let reason = fault?.reason ?? "silence, or the server stops"
    server.edge.hangUp(on: peer, after: lastMessage, ["reason": "\(reason)"])
  }

  /// The line of a State; `nil` if clients would not accept it.
  private func encode(_ state: SyncplayServerState) -> SharedBytes? {
    let line = encoder.encode(state)
    return line.isEmpty ? nil : pool.share(line)
  }

  /// The line of a message; `nil` if clients would not accept it.
  private func encode(_ message: SyncplayServerMessage) -> SharedBytes? {
    let line = encoder.encode(message)
    return line.isEmpty ? nil : SharedBytes(line)
  }

  /// The lines of several news items in one piece; `nil` if clients would accept none of them.
  private func encode(_ news: [SyncplayNews]) -> SharedBytes? {
    var lines: [UInt8] = []
    for piece in news { lines += encoder.encode(.set(piece)) }
    return lines.isEmpty ? nil : SharedBytes(lines)
  }
}

@available(*, unavailable)
extension SyncplayDialect: Sendable {}

/// Receives Syncplay's connections and their lines.
///
/// Listeners and connections retain it until they are closed, and it retains the server and the
/// dialect.
private final class SyncplayEntrance: TCPListenerDelegate, LineConnectionDelegate {
  private let dialect: SyncplayDialect
  private let server: MatineeServer
  private let mustEncrypt: Bool

  init(to dialect: SyncplayDialect, of server: MatineeServer, mustEncrypt: Bool) {
    self.dialect = dialect
    self.server = server
    self.mustEncrypt = mustEncrypt
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    dialect.admit(stream, mustEncrypt: mustEncrypt, delegate: self)
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {
    server.listener(listener, didFail: error)
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    dialect.receive(line, from: connection.id)
  }

  func connectionDidSecure(_ connection: LineConnection) {
    server.connectionDidSecure(connection)
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    dialect.receiveOverlongLine(from: connection.id)
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    server.edge.forget(connection, reason)
    dialect.take(.disconnected(connection.id))
  }
}

@available(*, unavailable)
extension SyncplayEntrance: Sendable {}
