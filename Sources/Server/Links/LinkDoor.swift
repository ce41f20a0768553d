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
/// A message to any number of peers goes to each server in front once, with the numbers of its
/// peers. The server retains the door, and ``LinkEntrance`` both.
package final class LinkDoor: Door {
  private unowned let server: MatineeServer
  private let ownID: ServerID
  private let connections: FlushList
  private var listener: TCPListener?
  private var links: [PeerID: Link] = [:]
  /// The peers behind links, by their slots.
  private var legs: [Leg?] = []
  /// Those of which some peer is to be sent what comes next.
  private var addressed: [Link] = []
  private var timer: LoopTimer?

  /// A server in front of this one.
  fileprivate final class Link {
    let connection: LineConnection
    /// What it has said of itself.
    var state: StatusReport.Server?
    /// Whether it has been told to drain, which it has not said yet.
    var isToDrain = false
    /// Its peers, by the numbers that it has given them.
    var peers: [PeerID: PeerID] = [:]
    var silence = LinkSilence()
    /// Those that are to encrypt, and have not begun to.
    ///
    /// What comes from them meanwhile is dropped, because anybody on the way may have put it there
    /// (RFC 3207, 6).
    var encrypting: Set<PeerID> = []
    /// Its peers that are to be sent what comes next.
    var audience: [PeerID] = []

    init(_ connection: LineConnection) { self.connection = connection }
  }

  private struct Leg {
    let peer: PeerID
    let link: Link
    /// The number that its server has given it.
    let number: PeerID
  }

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
    for link in links.values { closeIfDone(link) }
  }

  // MARK: Links

  /// More servers than one that decides could do with.
  private static let mostLinks = 64

  fileprivate func admit(_ stream: ByteStream, delegate: LinkEntrance) {
    let host = stream.peerHost
    guard links.count < Self.mostLinks,
      let id = server.edge.admit(stream, to: connections, delegate: delegate),
      let connection = server.edge[id]
    else {
      server.log.warning("a link was refused", metadata: ["address": "\(host)"])
      return stream.close()
    }
    links[id] = Link(connection)
  }

  fileprivate func didSecure(_ connection: LineConnection) {
    // It is taken: who does not have the key gets no further.
    beat(over: connection)
    server.log.info(
      "a server takes people in for this one",
      metadata: ["address": "\(connection.stream.peerHost)"])
  }

  fileprivate func receive(_ line: Span<UInt8>, over connection: LineConnection) {
    guard let link = links[connection.id] else { return }
    guard let read = LinkLine(line) else { return cut(link, "it says what is not of a link") }
    link.silence.end()
    if read.verb == .beat { return note(line.extracting(read.start...), of: link) }
    guard case .one(let number) = read.legs else { return }
    let text = line.extracting(read.start...)
    if read.verb == .connected { return connect(number, LegArrival(text), over: link) }
    if read.verb == .media { return tellMedia(number, at: text, over: link) }
    guard let peer = link.peers[number] else { return }
    let dialect = server.dialect(of: peer)
    switch read.verb {
    case .secured:
      link.encrypting.remove(peer)
      server.take(.secured(peer))
    case .line where link.encrypting.contains(peer): break
    case .line:
      if let dialect { dialect.receive(text, from: peer) } else { server.receive(text, from: peer) }
    case .overlong:
      if let dialect {
        dialect.receiveOverlongLine(from: peer)
      } else {
        server.receiveOverlongLine(from: peer)
      }
    case .gone: forget(peer)
    case .connected, .tell, .news, .close, .shut, .encrypt, .drain, .media, .beat: break
    }
  }

  /// Notes what a server in front says of itself; how many people it has may wait for the next beat.
  private func note(_ text: Span<UInt8>, of link: Link) {
    guard let state = StatusReport.Server(text) else { return }
    let isNews = state.id != link.state?.id || state.isDraining != link.state?.isDraining
    link.state = state
    if isNews { tellServers() }
  }

  /// Tells the coordinator which servers there are.
  func tellServers() {
    guard !server.hasStopped else { return }
    let own = StatusReport.Server(
      ownID, version: MatineeVersion.number, peers: server.peerCount - links.count, decides: true,
      isDraining: server.isDraining)
    server.take(.servers([own] + states))
  }

  /// Drains a server in front, or this one.
  func drain(_ id: ServerID) {
    if id == ownID { return server.drain() }
    for link in links.values where link.state?.id == id {
      link.isToDrain = true
      link.connection.enqueue(SharedBytes(LinkLineWriter(.drain).ended))
    }
    tellServers()
  }

  /// The servers in front, as they said last.
  var states: [StatusReport.Server] {
    links.values.compactMap { link in
      var state = link.state
      if link.isToDrain { state?.isDraining = true }
      return state
    }.sorted { $0.id < $1.id }
  }

  private func connect(_ number: PeerID, _ arrival: LegArrival, over link: Link) {
    guard link.peers[number] == nil else { return }
    let dialect = arrival.dialect.flatMap { server.dialect(named: $0) }
    guard dialect != nil || arrival.dialect == nil else {
      server.log.warning(
        "a server in front takes people in whom this one does not serve",
        metadata: ["dialect": "\(arrival.dialect ?? "")"])
      return link.connection.enqueue(SharedBytes(LinkLineWriter(.shut, number).ended))
    }
    let peer = server.reservePeer(for: dialect)
    link.peers[number] = peer
    while legs.count <= Int(peer.slot) {
      legs.makeRoom()
      legs.append(nil)
    }
    legs[Int(peer.slot)] = Leg(peer: peer, link: link, number: number)
    if let dialect {
      dialect.connect(peer, arrival)
    } else {
      server.take(.connected(peer, from: PeerAddress(host: arrival.host)))
    }
  }

  /// Tells a server in front which file an address is for.
  private func tellMedia(_ question: PeerID, at address: Span<UInt8>, over link: Link) {
    server.findMedia(at: String(decoding: address.array, as: UTF8.self)) { path in
      // The list of all has an empty path; a dot is no name of a file.
      let text = path.map { $0.isEmpty ? "." : $0 }.map { Array($0.utf8) } ?? []
      link.connection.enqueue(SharedBytes(LinkLineWriter(.media, question).ended(with: text)))
    }
  }

  /// Forgets a peer that is gone.
  private func forget(_ peer: PeerID) {
    leave(peer)
    let dialect = server.dialect(of: peer)
    if let dialect {
      server.edge.remove(peer)
      dialect.lose(peer)
    } else {
      server.release(peer)
    }
  }

  @discardableResult
  private func leave(_ peer: PeerID) -> Leg? {
    guard let leg = leg(of: peer) else { return nil }
    leg.link.peers[leg.number] = nil
    leg.link.encrypting.remove(peer)
    legs[Int(peer.slot)] = nil
    return leg
  }

  fileprivate func lose(_ connection: LineConnection, _ reason: CloseReason) {
    server.edge.forget(connection, reason)
    guard let link = links.removeValue(forKey: connection.id) else { return }
    let peers = link.peers
    server.log.warning(
      "a link broke", metadata: ["peers": "\(peers.count)", "reason": "\(reason)"])
    for peer in peers.values { forget(peer) }
    tellServers()
  }

  private func cut(_ link: Link, _ why: String) {
    server.log.error("a link is cut", metadata: ["reason": "\(why)"])
    let connection = link.connection
    connection.close()
    lose(connection, .ended)
  }

  /// Says that this server lives, and cuts links over which nothing came.
  private func beat() {
    tellServers()
    for link in links.values {
      if link.silence.isTooLong() {
        cut(link, "nothing comes over it")
      } else if link.connection.stream.isSecured {
        beat(over: link.connection)
      }
    }
    timer?.fire(at: server.loop.now + LinkSilence.pause)
  }

  private func beat(over connection: LineConnection) {
    connection.enqueue(SharedBytes(LinkLineWriter(.beat).ended))
  }

  /// Closes a link that nobody needs any more, once the server stops.
  private func closeIfDone(_ link: Link) {
    guard listener == nil, link.peers.isEmpty else { return }
    links[link.connection.id] = nil
    server.edge.remove(link.connection.id)
    link.connection.close(after: nil)
  }

  // MARK: Peers

  /// How many peers came in at servers in front.
  var peerCount: Int { links.values.reduce(0) { $0 + $1.peers.count } }

  /// Whether a connection is that of a server in front.
  func isLink(_ peer: PeerID) -> Bool { links[peer] != nil }

  /// Whether a peer came in at a server in front.
  func reaches(_ peer: PeerID) -> Bool { leg(of: peer) != nil }

  /// Notes that a peer is to be sent what comes next; nothing for one that is not behind a link.
  func address(_ peer: PeerID) {
    guard let leg = leg(of: peer) else { return }
    if leg.link.audience.isEmpty { addressed.append(leg.link) }
    leg.link.audience.append(leg.number)
  }

  /// Sends whole lines to those who were noted.
  func send(_ lines: SharedBytes, droppable: Bool = false) {
    guard !addressed.isEmpty else { return }
    let lines = LinkText.lines(of: lines)
    for link in addressed {
      let header = LinkLineWriter(droppable ? .news : .tell, link.audience)
      link.audience.removeAll(keepingCapacity: true)
      for line in lines {
        link.connection.enqueue(SharedBytes(header.ended(with: line)), droppable: droppable)
      }
    }
    addressed.removeAll(keepingCapacity: true)
  }

  /// Closes a peer after a last line.
  func close(_ peer: PeerID, after line: SharedBytes?) {
    end(peer, .close, line.flatMap { LinkText.lines(of: $0).first } ?? [])
  }

  /// Closes a peer without a word.
  func shut(_ peer: PeerID) { end(peer, .shut, []) }

  /// Encrypts what a peer says and hears from here on.
  func encrypt(_ peer: PeerID) {
    guard let leg = leg(of: peer) else { return }
    leg.link.encrypting.insert(peer)
    leg.link.connection.enqueue(SharedBytes(LinkLineWriter(.encrypt, leg.number).ended))
  }

  private func end(_ peer: PeerID, _ verb: LinkLine.Verb, _ text: ArraySlice<UInt8>) {
    guard let leg = leave(peer) else { return }
    leg.link.connection.enqueue(SharedBytes(LinkLineWriter(verb, leg.number).ended(with: text)))
    closeIfDone(leg.link)
  }

  private func leg(of peer: PeerID) -> Leg? {
    guard Int(peer.slot) < legs.count, let leg = legs[Int(peer.slot)], leg.peer == peer else {
      return nil
    }
    return leg
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
