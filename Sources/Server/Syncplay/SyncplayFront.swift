import Clusters
import Coordination
package import EventLoops
import Transports

extension FrontServer {
  /// Serves clients of Syncplay, too: their lines are passed on as they are, and the rooms are at the
  /// server that decides.
  ///
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package func open(_ syncplay: SyncplayConfiguration) throws(EndpointError) -> DialectDoor {
    let door = syncplay.door(on: edge)
    for endpoint in syncplay.endpoints {
      let entrance = FrontEntrance(
        to: self, door.connections,
        LegArrival(
          host: "", dialect: door.name, mustEncrypt: syncplay.mustEncrypt(at: endpoint)))
      try door.listen(at: endpoint, delegate: entrance)
    }
    add(door)
    return door
  }
}

/// Takes connections of a dialect in; the listener retains it, and it the server.
private final class FrontEntrance: TCPListenerDelegate {
  private let server: FrontServer
  private let connections: FlushList
  private let arrival: LegArrival

  /// - Parameter arrival: how everybody arrives here, but for the host.
  init(to server: FrontServer, _ connections: FlushList, _ arrival: LegArrival) {
    (self.server, self.connections, self.arrival) = (server, connections, arrival)
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    var arrival = arrival
    arrival.host = stream.peerHost
    server.edge.meter(stream, from: PeerAddress(host: arrival.host))
    guard let id = server.edge.admit(stream, to: connections, delegate: server),
      let connection = server.edge[id]
    else { return }
    server.receive(connection, arrival)
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {
    server.edge.complain(of: error)
  }
}

@available(*, unavailable)
extension FrontEntrance: Sendable {}
