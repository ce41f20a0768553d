import Clusters
import Coordination
package import EventLoops
import Logging
package import TLS
import Transports
package import Vocabulary
import Wire

/// The address at which servers in front of this one connect; whoever comes in at those is a peer
/// here, too.
///
/// Both ends of a link show each other the key that the servers of a cluster share, so what comes
/// over one is believed: from which address people come, and whether their connections are
/// encrypted. Who they are, they prove here like everybody.
///
/// What is published goes to each server in front once, and so does a message to some peers, with
/// their numbers. The server retains the door, and ``LinkEntrance`` both.
package final class LinkDoor: Door {
  private unowned let server: MatineeServer
  private let ownID: ServerID
  private let connections: FlushList
  private var listener: TCPListener?
  private var legs = LegTable()
  private var timer: LoopTimer?
  /// The names that more than one server has.
  private var shared: Set<ServerID> = []
  /// The servers with another access than this one's, and theirs.
  private var oddAccess: [ServerID: String] = [:]

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - endpoint: the address.
  ///   - id: what the servers of the cluster call this one.
  ///   - identity: the key that the servers of the cluster share.
  ///   - server: the server that decides.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  @discardableResult
  package init(
    at endpoint: ServerConfiguration.Endpoint, named id: ServerID, as identity: TLSIdentity,
    on server: MatineeServer
  ) throws(EndpointError) {
    (self.server, ownID) = (server, id)
    connections = FlushList(on: server.loop, limits: .link(server.limits))
    let security = StreamSecurity(identity: identity, speaking: .link, allowsPlaintext: false)
    listener = try TCPListener(
      host: endpoint.host, port: endpoint.port, security: security, on: server.loop,
      delegate: LinkEntrance(to: self, of: server))
    timer = LoopTimer(on: server.loop) { [weak self] in self?.beat() }
    timer?.fire(at: server.loop.now + LinkSilence.pause)
    server.edge.add(self)
    server.edge.add(connections, of: "link")
    server.edge.links = self
  }

  package var endpoints: [String] { listener.map { [$0.localEndpoint] } ?? [] }

  package var isForPeople: Bool { false }

  // A link has the same key for as long as its server runs.
  package func use(_ identity: TLSIdentity) {}

  package func stopListening() {
    listener?.close()
    listener = nil
    timer?.close()
    timer = nil
    for link in legs.connections { closeIfDone(link) }
  }

  // MARK: Links

  fileprivate func admit(_ stream: ByteStream, delegate: LinkEntrance) {
    if !legs.hasRoom, let stranger = legs.stranger { cut(stranger, "another one comes") }
    let host = stream.peerHost
    guard legs.hasRoom,
      let id = server.edge.admit(stream, to: connections, delegate: delegate)
    else {
      server.log.warning("a link was refused", metadata: ["address": "\(host)"])
      return stream.close()
    }
    legs.add(id)
  }

  fileprivate func didSecure(_ connection: LineConnection) {
    legs.take(connection.id)
    // It is taken: who does not have the key gets no further.
    send(LinkLineWriter(.beat).ended, over: connection.id)
  }

  fileprivate func receive(_ line: Span<UInt8>, over connection: LineConnection) {
    let said = legs.hear(line, over: connection.id) { [server] name in
      guard let name else { return server.reservePeer(for: nil) }
      return server.dialect(named: name).map { server.reservePeer(for: $0) }
    }
    switch said {
    case .connected(let peer, let arrival, let link): connect(peer, arrival, over: link)
    case .secured(let peer): server.take(.secured(peer))
    case .line(let peer, let start):
      let begin = server.loop.now
      receive(line.extracting(start...), from: peer)
      charge(server.loop.now - begin, to: peer)
    case .overlong(let peer): receiveOverlongLine(from: peer)
    case .gone(let peer): forget(peer)
    case .media(let question, let start):
      tellMedia(question, at: line.extracting(start...), over: connection.id)
    case .unserved(let dialect, let answer):
      server.log.warning(
        "a server in front takes people in whom this one does not serve",
        metadata: ["dialect": "\(dialect)"])
      send(answer, over: connection.id)
    case .arrived(let id):
      server.log.info(
        "a server takes people in for this one",
        metadata: ["server": "\(id)", "address": "\(connection.stream.peerHost)"])
      tellServers()
    case .servers: tellServers()
    case .cut(let why): cut(connection.id, why)
    case nil: break
    }
  }

  /// Tells the coordinator which servers there are.
  func tellServers() {
    guard !server.hasStopped else { return }
    let own = StatusReport.Server(
      ownID, version: MatineeVersion.number, peers: server.peerCount - legs.linkCount,
      decides: true, isDraining: server.isDraining)
    server.take(.servers([own] + states))
    warnOfNamesakes(among: [own] + states)
    warnOfOtherAccess()
  }

  /// Warns of servers that would let other people in than this one, once they decide.
  private func warnOfOtherAccess() {
    let others = legs.servers(withoutAccess: server.accessMode.rawValue)
    for (id, access) in others where oddAccess[id] != access {
      server.log.warning(
        "another server would let people in otherwise: give all servers the same --access",
        metadata: [
          "server": "\(id)", "access": "\(access)", "here": "\(server.accessMode.rawValue)",
        ])
    }
    oddAccess = others
  }

  /// Warns of servers that advertise one address: nobody can tell them apart, or reach both.
  private func warnOfNamesakes(among servers: [StatusReport.Server]) {
    let names = Dictionary(grouping: servers, by: \.id).filter { $0.value.count > 1 }.keys
    for name in Set(names).subtracting(shared) {
      server.log.warning(
        "several servers advertise one address: give each its own",
        metadata: ["address": "\(name)"])
    }
    shared = Set(names)
  }

  /// Drains a server in front, or this one.
  func drain(_ id: ServerID) {
    if id == ownID { return server.drain() }
    for link in legs.drain(id) { send(LinkLineWriter(.drain).ended, over: link) }
    tellServers()
  }

  /// The servers in front, as they said last.
  var states: [StatusReport.Server] { legs.states }

  /// Whether another server can decide once this one has gone; one with another access does not take
  /// the journal over.
  var isFollowed: Bool {
    let others = legs.servers(withoutAccess: server.accessMode.rawValue)
    return states.contains { !$0.isDraining && others[$0.id] == nil }
  }

  /// Tells a server in front which file an address is for.
  private func tellMedia(_ question: PeerID, at address: Span<UInt8>, over link: PeerID) {
    server.findMedia(at: String(decoding: address.array, as: UTF8.self)) { [unowned self] found in
      send(LinkLineWriter(.media, question).ended(with: found.answer), over: link)
    }
  }

  fileprivate func lose(_ connection: LineConnection, _ reason: CloseReason) {
    server.edge.forget(connection, reason)
    let name = legs.name(of: connection.id).map { "\($0)" } ?? connection.stream.peerHost
    guard let peers = legs.remove(connection.id) else { return }
    server.log.warning(
      "a link broke",
      metadata: ["server": "\(name)", "peers": "\(peers.count)", "reason": "\(reason)"])
    for peer in peers { forget(peer) }
    tellServers()
  }

  private func cut(_ link: PeerID, _ why: String) {
    guard let connection = server.edge[link] else { return }
    server.log.error("a link is cut", metadata: ["reason": "\(why)"])
    connection.close()
    lose(connection, .ended)
  }

  /// Says that this server lives, and cuts links over which nothing came.
  private func beat() {
    tellServers()
    let (living, silent) = legs.beat()
    for link in silent { cut(link, "nothing comes over it") }
    for link in living { send(LinkLineWriter(.beat).ended, over: link) }
    timer?.fire(at: server.loop.now + LinkSilence.pause)
  }

  /// Closes a link that nobody needs any more, once the server stops.
  private func closeIfDone(_ link: PeerID) {
    guard listener == nil, legs.isEmpty(link) else { return }
    let connection = server.edge[link]
    _ = legs.remove(link)
    server.edge.remove(link)
    connection?.close(after: nil)
  }

  private func send(_ line: [UInt8], over link: PeerID, droppable: Bool = false) {
    server.edge[link]?.enqueue(SharedBytes(line), droppable: droppable)
  }

  // MARK: Peers

  private func connect(_ peer: PeerID, _ arrival: LegArrival, over link: LinkID?) {
    if let dialect = server.dialect(of: peer) {
      dialect.connect(peer, arrival)
    } else {
      server.take(.connected(peer, from: PeerAddress(host: arrival.host), over: link))
    }
  }

  private func receive(_ line: Span<UInt8>, from peer: PeerID) {
    if let dialect = server.dialect(of: peer) {
      dialect.receive(line, from: peer)
    } else {
      server.receive(line, from: peer)
    }
  }

  /// Lets the address of a peer pay, at the server where it came in, for what it takes of this one.
  private func charge(_ time: Duration, to peer: PeerID) {
    guard let bill = legs.charge(time, to: peer) else { return }
    send(bill.line, over: bill.connection)
  }

  private func receiveOverlongLine(from peer: PeerID) {
    if let dialect = server.dialect(of: peer) {
      dialect.receiveOverlongLine(from: peer)
    } else {
      server.receiveOverlongLine(from: peer)
    }
  }

  /// Forgets a peer that is gone.
  private func forget(_ peer: PeerID) {
    if let dialect = server.dialect(of: peer) {
      server.edge.remove(peer)
      dialect.lose(peer)
    } else {
      server.release(peer)
    }
  }

  /// How many peers came in at servers in front.
  var peerCount: Int { legs.peerCount }

  /// Whether a connection is that of a server in front.
  func isLink(_ peer: PeerID) -> Bool { legs.isLink(peer) }

  /// Whether a peer came in at a server in front.
  func reaches(_ peer: PeerID) -> Bool { legs.reaches(peer) }

  /// Notes that a peer is to be sent what comes next; nothing for one that is not behind a link.
  func address(_ peer: PeerID) { legs.address(peer) }

  /// Sends whole lines to those who were noted.
  ///
  /// - Parameter relay: an audience that servers in front keep, to which they go, too.
  func send(_ lines: SharedBytes, to relay: AudienceRelay? = nil, droppable: Bool = false) {
    var headers = legs.takeAudiences(isDroppable: droppable)
    if let relay { headers += legs.headers(for: relay, isDroppable: droppable) }
    guard !headers.isEmpty else { return }
    let lines = LinkText.lines(of: lines.array)
    for (link, header) in headers {
      for line in lines { send(header.ended(with: line), over: link, droppable: droppable) }
    }
  }

  /// Tells servers in front who is in an audience that they keep.
  func carryOut(_ order: AudienceOrder) {
    let (links, line) = legs.carryOut(order)
    for link in links { send(line, over: link) }
  }

  /// Closes a peer after a last line.
  func close(_ peer: PeerID, after line: SharedBytes?) {
    end(legs.close(peer, after: line.flatMap { LinkText.lines(of: $0.array).first } ?? []))
  }

  /// Closes a peer without a word.
  func shut(_ peer: PeerID) { end(legs.close(peer, after: nil)) }

  private func end(_ order: (connection: PeerID, line: [UInt8])?) {
    guard let order else { return }
    send(order.line, over: order.connection)
    closeIfDone(order.connection)
  }

  /// Encrypts what a peer says and hears from here on.
  func encrypt(_ peer: PeerID) {
    guard let order = legs.encrypt(peer) else { return }
    send(order.line, over: order.connection)
  }
}

@available(*, unavailable)
extension LinkDoor: Sendable {}

/// Receives links and their lines; the listener and the connections retain it, and it the server and
/// the door.
private final class LinkEntrance: TCPListenerDelegate, LineConnectionDelegate {
  private let door: LinkDoor
  private let server: MatineeServer

  init(to door: LinkDoor, of server: MatineeServer) {
    (self.door, self.server) = (door, server)
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    door.admit(stream, delegate: self)
  }

  func listener(_ listener: TCPListener, didFail error: UVError) { server.edge.complain(of: error) }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    door.receive(line, over: connection)
  }

  func connectionDidSecure(_ connection: LineConnection) { door.didSecure(connection) }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    connection.close()
    self.connection(connection, didClose: .ended)
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    door.lose(connection, reason)
  }
}

@available(*, unavailable)
extension LinkEntrance: Sendable {}
