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
  /// The time; each access reads the clock.
  var now: Instant { get }
  /// Why people cannot come in and do what they want; `nil` if they can.
  var obstacle: String? { get }
  /// Whether it sends everybody to the other servers.
  var isDraining: Bool { get }

  /// Finds the file that an address of the server's media is for, now or later.
  ///
  /// - Parameter completion: receives what the address leads to.
  func findMedia(at address: String, _ completion: @escaping (FoundMedia) -> Void)
  /// Adds the figures that are the server's own.
  func addFigures(to text: inout OpenMetricsText)
  /// Handles that a native peer connected.
  func didConnect(_ connection: LineConnection, from address: PeerAddress?)
}

extension EdgeServer {
  /// Whether people can come in and do what they want.
  package var isReady: Bool { obstacle == nil }
}

/// What an address of the server's media leads to.
package enum FoundMedia: Equatable, Sendable {
  /// The file at a path.
  case file(String)
  /// The list of all files.
  case list
  /// Nothing: the address lets nobody in any more.
  case refused
  /// Nobody knows at present, because the server that decides is not reached.
  case unknown

  /// - Parameter path: a file's path; empty for the list of all, `nil` if the address lets nobody
  ///   in.
  init(path: String?) {
    switch path {
    case nil: self = .refused
    case ""?: self = .list
    case let path?: self = .file(path)
    }
  }

  /// - Parameter answer: what the server that decides says over a link.
  init(answer: String) {
    switch answer {
    case "": self = .refused
    case ".": self = .list
    default: self = .file(answer)
    }
  }

  /// What the server that decides says over a link: a path, a dot for the list, because no file has
  /// that name, or nothing.
  var answer: String {
    switch self {
    case .file(let path): path
    case .list: "."
    case .refused, .unknown: ""
    }
  }
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
  /// - Parameters:
  ///   - stream: the WebSocket's connection.
  ///   - list: writes what waits for the peer.
  ///   - rest: what it has sent in frames already.
  ///   - client: the peer's address if a trusted proxy passes the WebSocket on.
  func admit(
    _ stream: ByteStream, speakingFrames list: FlushList, behind rest: [UInt8],
    from client: String?
  ) {
    let webSocket = WebSocketSession(
      maximumBytes: limits.lineBytes, maximumFrames: limits.messageFrames)
    let own = PeerAddress(host: stream.peerHost)
    let address = client.map(PeerAddress.init(host:)) ?? own
    if client != nil { edge.meter(stream, from: address) }
    guard
      let connection = admit(
        stream, to: list, through: webSocket, from: address?.atWeb, for: client)
    else { return }
    // What a proxy on this machine passes on does not leave the machine, wherever its client is.
    let isPrivate = stream.isSecured || client != nil && own?.isLoopback == true
    if isPrivate { connectionDidSecure(connection) }
    if !rest.isEmpty, connection.isOpen { connection.byteStream(stream, didRead: rest.span) }
  }

  @discardableResult
  private func admit(
    _ stream: ByteStream, to list: FlushList, through webSocket: WebSocketSession? = nil,
    from address: PeerAddress?, for client: String? = nil
  ) -> LineConnection? {
    guard
      let id = edge.admit(stream, to: list, through: webSocket, from: client, delegate: self),
      let connection = edge[id]
    else { return nil }
    didConnect(connection, from: address)
    return connection
  }
}
