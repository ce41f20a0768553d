package import EventLoops
package import HTTP
import Logging
package import TLS
package import Transports
import Vocabulary

/// The address at which the server's figures are collected, by HTTP.
///
/// It is apart from the address for browsers, because figures are for those who run the server.
package final class MetricsDoor: Door, TCPListenerDelegate, HTTPConnectionDelegate {
  private let server: any EdgeServer
  private let connections: HTTPConnectionList
  private let audience: WebAudience
  private var listener: TCPListener?
  /// The last text; who asks more often than figures are made gets it again.
  private var last: (text: SharedBytes, end: HostTime)?

  /// How long figures are good for: making them looks at every connection.
  private static let interval = Duration.milliseconds(500)
  /// Collectors are few; a browser that looks in opens six.
  private static let mostConnections = 16

  /// Starts listening.
  ///
  /// - Throws: an error that says why the address cannot be listened on, and what to do.
  @discardableResult
  package init(
    at endpoint: ServerConfiguration.Endpoint, on server: any EdgeServer
  ) throws(EndpointError) {
    self.server = server
    audience = WebAudience(origins: [], isOnlyLocal: endpoint.isLoopback)
    connections = HTTPConnectionList(
      on: server.loop, limits: HTTPConnectionLimits(connections: Self.mostConnections),
      backlogs: server.edge.backlogs)
    listener = try TCPListener(
      host: endpoint.host, port: endpoint.port, on: server.loop, delegate: self)
    server.edge.add(self)
  }

  package var endpoints: [String] { [listener?.localEndpoint].compactMap(\.self) }

  package var isForPeople: Bool { false }

  package func use(_ identity: TLSIdentity) {}

  package func stopListening() {
    listener?.close()
    listener = nil
    connections.finish()
  }

  // MARK: Connections

  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    guard connections.makeRoom() else { return stream.close() }
    do throws(UVError) {
      _ = try HTTPConnection(stream, in: connections, delegate: self)
    } catch {
      server.log.debug("a connection broke at once", metadata: ["error": "\(error)"])
    }
  }

  package func listener(_ listener: TCPListener, didFail error: UVError) {
    server.edge.complain(of: error)
  }

  package func connectionDidLeave(_ connection: HTTPConnection) {}

  package func connection(_ connection: HTTPConnection, didReceive request: HTTPRequest) {
    guard audience.includes(host: request.host) else {
      return connection.say(.misdirectedRequest, "This server is reached by another name.")
    }
    switch (request.method, request.target.path) {
    case (.get, "/metrics"), (.head, "/metrics"):
      let fields = [("Content-Type", OpenMetricsText.type), ("Cache-Control", "no-store")]
      connection.answer(
        HTTPResponse(.ok, fields + SecurityFields.all), figures)
    case (.get, _), (.head, _): connection.say(.notFound, "The figures are at /metrics.")
    default:
      connection.answer(HTTPResponse(.methodNotAllowed, [("Allow", "GET, HEAD")]))
    }
  }

  private var figures: SharedBytes {
    if let last, server.loop.now < last.end { return last.text }
    let text = SharedBytes(server.metrics)
    last = (text, server.loop.now + Self.interval)
    return text
  }
}

@available(*, unavailable)
extension MetricsDoor: Sendable {}
