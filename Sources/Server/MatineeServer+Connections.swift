import Coordination
package import EventLoops
import Logging
import Signatures
import TLS
package import Transports
import Vocabulary
import WebSocket
import Wire

// Connections of the native protocol, and the code that all connections share.

extension MatineeServer: TCPListenerDelegate, LineConnectionDelegate {
  /// A client connected.
  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    let address = PeerAddress(host: stream.peerHost)
    meter(stream, from: address)
    guard let id = admit(stream, to: connections, delegate: self) else { return }
    take(.connected(id, from: address))
  }

  /// Handles that a connection could not be accepted; open connections continue.
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

  /// The shortest time between two log lines about failing connections; without a free descriptor
  /// each one fails.
  private static let complaintInterval = Duration.seconds(60)

  /// A line came in.
  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    // A person who types by hand may press return twice.
    guard line.count > 0 else { return }
    do throws(MalformedLine) {
      let message = try decoder.decode(line)
      if message.hasCredential {
        take(.wallTime(WallTime(seconds: WallClock.read().microseconds / 1_000_000)))
      }
      take(.received(connection.id, message))
    } catch {
      take(.malformed(connection.id, error.request, error.error))
    }
  }

  /// A connection is encrypted from here on.
  package func connectionDidSecure(_ connection: LineConnection) {
    take(.secured(connection.id))
  }

  /// A line longer than the limit came in.
  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    let error = ProtocolError(.lineTooLong, limit: limits.lineBytes)
    take(.malformed(connection.id, nil, error))
  }

  /// A connection has closed itself.
  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    forget(connection, reason)
    take(.disconnected(connection.id))
  }
}

// MARK: All connections

extension MatineeServer {
  /// Lets an address pay for the time that it takes to read a connection; this machine's pays nothing,
  /// because a proxy's connections are everybody's.
  func meter(_ stream: ByteStream, from address: PeerAddress?) {
    guard let address, !address.isLoopback else { return }
    shares.add(stream, from: address)
  }

  /// Makes a peer for a connection; `nil` if the connection failed at once.
  ///
  /// - Parameters:
  ///   - dialect: the dialect that the peer belongs to; `nil` for the native protocol.
  ///   - webSocket: reads frames in place of lines.
  func admit(
    _ stream: ByteStream, to list: FlushList, for dialect: (any Dialect)? = nil,
    through webSocket: WebSocketSession? = nil, delegate: any LineConnectionDelegate
  ) -> PeerID? {
    let id = table.reserve(for: dialect.flatMap { number(of: $0) })
    do throws(UVError) {
      let connection = try LineConnection(
        stream, id: id, in: list, through: webSocket, delegate: delegate)
      table.insert(connection)
      return id
    } catch {
      table.remove(id)
      log.warning("a connection broke at once", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// The list for native peers that speak in a WebSocket's frames.
  func webSocketList() -> FlushList {
    var lastWord = encode(.closing(ProtocolError(.slowConsumer)))
    let list = FlushList(
      on: loop, limits: ConnectionLimits(limits, lineBytes: limits.lineBytes),
      lastWordToSlow: lastWord.frame, backlogs: backlogs)
    add(list, of: "websocket")
    return list
  }

  /// Makes a native peer of a WebSocket.
  ///
  /// - Parameter rest: what it has sent in frames already.
  func admit(_ stream: ByteStream, speakingFrames list: FlushList, behind rest: [UInt8]) {
    let webSocket = WebSocketSession(maximumBytes: limits.lineBytes)
    guard let id = admit(stream, to: list, through: webSocket, delegate: self) else { return }
    take(.connected(id, from: PeerAddress(host: stream.peerHost)))
    if stream.isSecured { take(.secured(id)) }
    if !rest.isEmpty { table[id]?.byteStream(stream, didRead: rest.span) }
  }

  /// Frees the slot of a connection that has closed itself.
  func forget(_ connection: LineConnection, _ reason: CloseReason) {
    table.remove(connection.id)
    if case .failed(.security(let fault)) = reason {
      return log.info(
        "closing a connection", metadata: ["peer": "\(connection.id)", "reason": "\(fault)"])
    }
    guard case .slow(let waitingBytes) = reason else { return }
    log.info(
      "dropped a peer that does not read",
      metadata: [
        "peer": "\(connection.id)", "waitingBytes": "\(waitingBytes)",
        "code": "\(ErrorCode.slowConsumer.rawValue)",
      ])
  }

  /// Closes a connection of an address that has too many, or opens them too quickly.
  func shut(_ peer: PeerID) {
    guard let connection = table[peer] else { return }
    log.info(
      "too many connections come from an address",
      metadata: ["address": "\(connection.stream.peerHost)"])
    // The dialect knows the peer already, because the coordinator could have refused it in words.
    let dialect = dialect(of: peer)
    table.remove(peer)
    connection.close()
    dialect?.lose(peer)
  }

  /// Closes a connection after a last message, and logs why.
  func hangUp(on peer: PeerID, after lastMessage: SharedBytes?, _ why: Logger.Metadata) {
    guard let connection = table[peer] else { return }
    log.info("closing a connection", metadata: why.merging(["peer": "\(peer)"]) { $1 })
    table.remove(peer)
    connection.close(after: lastMessage)
  }
}

// MARK: Operations for dialects

extension MatineeServer {
  /// Reserves a peer without a connection, for a dialect.
  func reservePeer(for dialect: any Dialect) -> PeerID { table.reserve(for: number(of: dialect)) }

  /// Tells the coordinator that a dialect's peer is gone.
  func release(_ peer: PeerID) {
    // A peer without a connection reports no close, so its slot is freed here.
    table.remove(peer)
    take(.disconnected(peer))
  }

  /// Encrypts what a connection carries from the next byte on.
  func startTLS(with peer: PeerID, as identity: TLSIdentity) {
    table[peer]?.startTLS(as: identity)
  }

  /// Sends encoded lines; `nil` sends nothing.
  ///
  /// - Parameter isPatient: whether the lines may be held until the next other line, so that both
  ///   leave in one write.
  func send(_ bytes: SharedBytes?, to peers: Peers, patient isPatient: Bool = false) {
    guard let bytes else { return }
    for peer in peers { table[peer]?.enqueue(bytes, patient: isPatient) }
  }
}

extension ConnectionLimits {
  /// The limits of one connection, from the server's limits and the longest line.
  init(_ limits: Limits, lineBytes: Int) {
    self.init(
      lineBytesMaximum: lineBytes, backlogBytesMaximum: limits.outboundBytes,
      droppableBytesMaximum: limits.droppableBytes, drainTime: limits.drainDeadline)
  }
}

extension LoopShares<PeerAddress> {
  /// The shares of a server's addresses.
  convenience init(_ limits: Limits, on loop: EventLoop) {
    let perSecond = max(limits.addressTimePerSecond, .microseconds(1))
    self.init(
      on: loop, burst: limits.addressTimeBurst,
      refilledIn: .seconds(limits.addressTimeBurst / perSecond), sources: limits.guessers)
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
