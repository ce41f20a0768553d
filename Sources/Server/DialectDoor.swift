import EventLoops
package import TLS
import Transports

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
        host: endpoint.host, port: endpoint.port, on: connections.loop, delegate: delegate))
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
