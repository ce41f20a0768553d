package import Coordination
import EventLoops
import Signatures
package import Transports
import Vocabulary
import Wire

// Peers that speak the native protocol.

extension MatineeServer: EdgeServer {
  package func findMedia(at address: String, _ completion: @escaping (FoundMedia) -> Void) {
    completion(FoundMedia(path: coordinator.mediaPath(of: address, at: now)))
  }

  package func didConnect(_ connection: LineConnection, from address: PeerAddress?) {
    take(.connected(connection.id, from: address))
  }

  /// A line came in.
  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    receive(line, from: connection.id)
  }

  /// Handles a line of a native peer.
  func receive(_ line: Span<UInt8>, from peer: PeerID) {
    // A person who types by hand may press return twice.
    guard line.count > 0 else { return }
    do throws(MalformedLine) {
      let message = try decoder.decode(line)
      if message.hasCredential {
        take(.wallTime(WallTime(seconds: WallClock.read().microseconds / 1_000_000)))
      }
      take(.received(peer, message))
    } catch {
      take(.malformed(peer, error.request, error.error))
    }
  }

  /// A connection is encrypted from here on.
  package func connectionDidSecure(_ connection: LineConnection) {
    take(.secured(connection.id))
  }

  /// A line longer than the limit came in.
  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    receiveOverlongLine(from: connection.id)
  }

  /// Handles a line of a native peer that is longer than the limit.
  func receiveOverlongLine(from peer: PeerID) {
    take(.malformed(peer, nil, ProtocolError(.lineTooLong, limit: limits.lineBytes)))
  }

  /// A connection has closed itself.
  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    edge.forget(connection, reason)
    take(.disconnected(connection.id))
  }
}

extension ClientMessage {
  /// Whether the message has a credential, which is verified by the time of day.
  fileprivate var hasCredential: Bool {
    switch self {
    case .hello(let hello): hello.credential != nil
    case .request(_, .renew): true
    default: false
    }
  }
}
