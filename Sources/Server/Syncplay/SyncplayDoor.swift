import EventLoops
import Logging
package import Syncplay
import Transports

/// Hears of Syncplay's connections and lines, and hands them to the server as the lobby's inputs.
///
/// Confined to the loop's thread. It holds the server, which does not hold it: the listeners and
/// the connections do, until they are closed.
final class SyncplayDoor {
  private let server: MatineeServer
  private var decoder: SyncplayLineDecoder

  init(to server: MatineeServer, _ options: SyncplayOptions) {
    self.server = server
    decoder = SyncplayLineDecoder(options)
  }
}

@available(*, unavailable)
extension SyncplayDoor: Sendable {}

extension SyncplayDoor: TCPListenerDelegate {
  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    server.admitToLobby(stream, delegate: self)
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {
    server.listener(listener, didFail: error)
  }
}

extension SyncplayDoor: LineConnectionDelegate {
  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    server.take(lobby: .received(connection.id, decoder.decode(line)))
  }

  /// The end, without a word, as both ends of the reference do it.
  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    server.hangUp(
      on: connection.id, after: nil,
      ["reason": "a line is longer than \(SyncplayLimits.lineBytes) bytes"])
    server.take(lobby: .disconnected(connection.id))
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    server.forget(connection, reason)
    server.take(lobby: .disconnected(connection.id))
  }
}

/// Where Syncplay's clients come in, and how they are served.
package struct SyncplayConfiguration: Equatable, Sendable {
  package var endpoints: [ServerConfiguration.Endpoint]
  package var options: SyncplayOptions

  /// A configuration.
  package init(endpoints: [ServerConfiguration.Endpoint], options: SyncplayOptions) {
    self.endpoints = endpoints
    self.options = options
  }
}
