package import Clusters
import EventLoops
package import TLS
import Transports
package import Vocabulary
package import Wire

/// Addresses at which a server accepts connections in another way than at its own.
package protocol Door: AnyObject {
  /// Whether people come in here, so that it closes when the server is drained.
  var isForPeople: Bool { get }

  /// Proves itself by this certificate from now on, if it proves itself by one.
  func use(_ identity: TLSIdentity)
  /// Stops accepting connections; open ones stay as long as somebody needs them.
  func stopListening()
}

extension Door {
  package var isForPeople: Bool { true }
}

/// A protocol beside the native one whose clients are ordinary peers of the coordinator.
///
/// A dialect translates: what its clients send becomes requests of native peers, and what the
/// coordinator sends to those peers becomes lines of the dialect. The server makes the peers, with
/// connections or without. While the coordinator or a dialect handles an input, further inputs for
/// either wait in one queue, so that each receives them in the order in which they arose. Confined
/// to the server's loop.
package protocol Dialect: Door {
  /// What servers in front call it.
  var name: String { get }
  /// When ``advanceClock()`` is due; `nil` while there is no deadline.
  var nextDeadline: Instant? { get }
  /// Whether only the server's own peers start sessions in a group; they let those steer who prove
  /// to the dialect that they may.
  var isManaged: @Sendable (GroupID) -> Bool { get }

  /// Handles that time has passed.
  func advanceClock()
  /// Handles a message that the coordinator sends to some of the dialect's peers.
  func receive(_ message: ServerMessage, for peers: Peers)
  /// Handles that the coordinator closes one of the dialect's peers.
  func refuse(_ peer: PeerID, _ error: ProtocolError)
  /// Handles that one of the dialect's peers is gone, or was closed by the server without a word.
  func lose(_ peer: PeerID)
  /// Handles that a peer of the dialect connected to a server in front.
  func connect(_ peer: PeerID, _ arrival: LegArrival)
  /// Handles a line of such a peer.
  func receive(_ line: Span<UInt8>, from peer: PeerID)
  /// Handles a line of such a peer that is longer than the dialect's lines may be.
  func receiveOverlongLine(from peer: PeerID)
  /// Handles the first waiting input.
  func handleNextInput(at now: Instant)
}

/// The addresses of a dialect, and the connections that came in there.
package final class DialectDoor: Door {
  /// What the servers of a cluster call the dialect.
  let name: String
  let connections: FlushList
  /// What the server proves itself by to clients that ask for encryption; `nil` offers none.
  private(set) var identity: TLSIdentity?
  private var listeners: [TCPListener] = []

  /// Makes a door that does not listen yet, and names its connections.
  init(named name: String, _ connections: FlushList, as identity: TLSIdentity?, on edge: Edge) {
    (self.name, self.connections, self.identity) = (name, connections, identity)
    edge.add(connections, of: name)
  }

  /// Listens on an address.
  ///
  /// - Throws: an error that says why it cannot be listened on, and what to do.
  func listen(
    at endpoint: ServerConfiguration.Endpoint, delegate: any TCPListenerDelegate
  ) throws(EndpointError) {
    listeners.append(
      try TCPListener(
        host: endpoint.host, port: endpoint.port, sparesDescriptors: true,
        on: connections.loop, delegate: delegate))
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
extension DialectDoor: Sendable {}
