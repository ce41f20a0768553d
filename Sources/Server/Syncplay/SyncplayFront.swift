import Coordination
import EventLoops
import Syncplay
package import TLS
import Transports
import Vocabulary
import Wire

/// The addresses for clients of Syncplay at a server in front.
///
/// Their lines are passed on as they are; the rooms are at the server that decides.
package final class SyncplayFront: Door {
  let connections: FlushList
  /// What the server proves itself by to clients that ask for encryption.
  private(set) var identity: TLSIdentity?
  private var listeners: [TCPListener] = []

  init(
    _ configuration: SyncplayConfiguration, of server: FrontServer
  ) throws(EndpointError) {
    identity = configuration.identity
    connections = FlushList(
      on: server.loop,
      limits: ConnectionLimits(server.limits, lineBytes: SyncplayLimits.lineBytes),
      linesEndingWith: .carriageReturnLineFeed, backlogs: server.edge.backlogs)
    for endpoint in configuration.endpoints {
      let entrance = SyncplayEntrance(
        to: server, connections,
        mustEncrypt: !endpoint.isLoopback && !configuration.allowsPlaintext)
      listeners.append(
        try TCPListener(
          host: endpoint.host, port: endpoint.port, on: server.loop, delegate: entrance))
    }
    server.edge.add(self)
    server.edge.add(connections, of: SyncplayDialect.name)
  }

  package var endpoints: [String] { listeners.map(\.localEndpoint) }

  package func use(_ identity: TLSIdentity) {
    if self.identity != nil { self.identity = identity }
  }

  package func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
  }
}

@available(*, unavailable)
extension SyncplayFront: Sendable {}

/// Takes connections in; the listener retains it, and it the server.
private final class SyncplayEntrance: TCPListenerDelegate {
  private let server: FrontServer
  private let connections: FlushList
  private let mustEncrypt: Bool

  init(to server: FrontServer, _ connections: FlushList, mustEncrypt: Bool) {
    (self.server, self.connections, self.mustEncrypt) = (server, connections, mustEncrypt)
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    let host = stream.peerHost
    server.edge.meter(stream, from: PeerAddress(host: host))
    guard let id = server.edge.admit(stream, to: connections, delegate: server),
      let connection = server.edge[id]
    else { return }
    server.receive(
      connection, LegArrival(host: host, dialect: SyncplayDialect.name, mustEncrypt: mustEncrypt))
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {
    server.edge.complain(of: error)
  }
}

@available(*, unavailable)
extension SyncplayEntrance: Sendable {}
