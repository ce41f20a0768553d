package import Coordination
package import EventLoops
import Logging
package import Transports
package import Vocabulary
import WebSocket

/// A server at which people connect: the one that decides, or one in front of it.
///
/// Its listeners and connections retain it until they are closed.
package protocol EdgeServer: TCPListenerDelegate, LineConnectionDelegate {
  /// Its connections.
  var edge: Edge { get }
  /// The time, which is constant within a turn.
  var now: Instant { get }
  /// Whether people can come in and do what they want.
  var isReady: Bool { get }
  /// Whether it sends everybody to the other servers.
  var isDraining: Bool { get }

  /// Finds the file that an address of the server's media is for, now or later.
  ///
  /// - Parameter completion: receives its path; empty for the list of all, `nil` if the address lets
  ///   nobody in.
  func findMedia(at address: String, _ completion: @escaping (String?) -> Void)
  /// Adds the figures that are the server's own.
  func addFigures(to text: inout OpenMetricsText)
  /// Handles that a native peer connected.
  func didConnect(_ connection: LineConnection, from address: PeerAddress?)
}

extension EdgeServer {
  var loop: EventLoop { edge.loop }
  package var limits: Limits { edge.limits }
  var log: Logger { edge.log }

  /// The addresses that the server listens on, with the ports that the system chose.
  package var endpoints: [String] { edge.endpoints }

  /// How many connections are open.
  package var peerCount: Int { edge.peerCount }

  /// A client connected.
  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    let address = PeerAddress(host: stream.peerHost)
    edge.meter(stream, from: address)
    admit(stream, to: edge.connections, from: address)
  }

  /// Handles that a connection could not be accepted; open connections continue.
  package func listener(_ listener: TCPListener, didFail error: UVError) {
    edge.complain(of: error)
  }

  /// Makes a native peer of a WebSocket.
  ///
  /// - Parameter rest: what it has sent in frames already.
  func admit(_ stream: ByteStream, speakingFrames list: FlushList, behind rest: [UInt8]) {
    let webSocket = WebSocketSession(maximumBytes: limits.lineBytes)
    let address = PeerAddress(host: stream.peerHost)
    guard let connection = admit(stream, to: list, through: webSocket, from: address) else {
      return
    }
    if stream.isSecured { connectionDidSecure(connection) }
    if !rest.isEmpty, connection.isOpen { connection.byteStream(stream, didRead: rest.span) }
  }

  @discardableResult
  private func admit(
    _ stream: ByteStream, to list: FlushList, through webSocket: WebSocketSession? = nil,
    from address: PeerAddress?
  ) -> LineConnection? {
    guard let id = edge.admit(stream, to: list, through: webSocket, delegate: self),
      let connection = edge[id]
    else { return nil }
    didConnect(connection, from: address)
    return connection
  }
}
