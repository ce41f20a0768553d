import Coordination
package import EventLoops
import Logging
package import Transports
import Vocabulary
import Wire

// Those who speak the native protocol, and what holds for everybody who connects.

extension MatineeServer: TCPListenerDelegate, LineConnectionDelegate {
  /// Somebody connected.
  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    guard let id = admit(stream, to: connections, delegate: self) else { return }
    take(.connected(id))
  }

  /// Makes a peer of whoever connected; `nil` if the connection broke at once.
  func admit(
    _ stream: ByteStream, to list: FlushList, inLobby isInLobby: Bool = false,
    delegate: any LineConnectionDelegate
  ) -> PeerID? {
    let id = table.reserve(inLobby: isInLobby)
    do throws(UVError) {
      table.insert(try LineConnection(stream, id: id, in: list, delegate: delegate))
      return id
    } catch {
      table.remove(id)
      log.warning("a connection broke at once", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// A connection could not be accepted, or the next one cannot be; the others go on.
  package func listener(_ listener: TCPListener, didFail error: UVError) {
    guard nextComplaint.map({ $0 <= loop.now }) ?? true else { return }
    nextComplaint = loop.now + Self.complaintInterval
    guard error.code == .tooManyOpenFiles else {
      return log.error("could not accept a connection", metadata: ["error": "\(error)"])
    }
    log.error(
      "no descriptor is left, whoever connects now is hung up on: raise the limit (ulimit -Hn)",
      metadata: ["peers": "\(table.count)", "error": "\(error)"])
  }

  /// A server out of descriptors is knocked at all the time: the log says so now and then.
  private static let complaintInterval = Duration.seconds(60)

  /// A line came in.
  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    // Whoever types by hand may press return twice.
    guard line.count > 0 else { return }
    do throws(MalformedLine) {
      take(.received(connection.id, try decoder.decode(line)))
    } catch {
      take(.malformed(connection.id, error.request, error.error))
    }
  }

  /// A line came in that is longer than any may be.
  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    let error = ProtocolError(.lineTooLong, limit: limits.lineBytes)
    take(.malformed(connection.id, nil, error))
  }

  /// A connection has closed itself.
  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    forget(connection, reason)
    take(.disconnected(connection.id))
  }

  /// Gives the place of a connection that has closed itself back.
  func forget(_ connection: LineConnection, _ reason: CloseReason) {
    table.remove(connection.id)
    guard case .slow(let waitingBytes) = reason else { return }
    log.info(
      "dropped a peer that does not read",
      metadata: [
        "peer": "\(connection.id)", "waitingBytes": "\(waitingBytes)",
        "code": "\(ErrorCode.slowConsumer.rawValue)",
      ])
  }
}

extension ConnectionLimits {
  /// What the server's limits leave to one connection whose lines may be that long.
  init(_ limits: Limits, lineBytes: Int) {
    self.init(
      lineBytesMaximum: lineBytes, backlogBytesMaximum: limits.outboundBytes,
      droppableBytesMaximum: limits.droppableBytes, drainTime: limits.drainDeadline)
  }
}
