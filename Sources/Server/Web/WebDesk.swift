import Coordination
import EventLoops
import HTTP
import Logging
import Signatures
import Transports
import Vocabulary
import WebAddresses
import WebClient
import WebSocket

/// Answers the requests of one address: the page and its parts, how the server is, and the way to a
/// WebSocket, whose connection becomes a native peer's.
///
/// The listener and the connections retain it, and with it the server.
final class WebDesk: TCPListenerDelegate, HTTPConnectionDelegate {
  private let server: any EdgeServer
  private let connections: HTTPConnectionList
  private let peers: FlushList
  private let audience: WebAudience
  private let proxies: TrustedProxies
  private let site = WebSite()
  private let media: WebMedia?
  private let pushKey: String?
  private var arrivals: Arrivals
  /// The requests of each address.
  private var requests: RateLimit<PeerAddress>
  /// Whose each connection is; a trusted proxy's is that of the client who asked last.
  private var addresses: [ObjectIdentifier: PeerAddress] = [:]

  init(
    of server: any EdgeServer, _ connections: HTTPConnectionList, _ peers: FlushList,
    for audience: WebAudience, trusting proxies: TrustedProxies, media: WebMedia?, pushKey: String?
  ) {
    self.media = media
    self.server = server
    self.connections = connections
    self.peers = peers
    self.audience = audience
    self.proxies = proxies
    self.pushKey = pushKey
    arrivals = Arrivals(server.limits)
    requests = RateLimit(
      burst: connections.limits.requestBurst, perSecond: connections.limits.requestsPerSecond,
      sources: server.limits.guessers)
  }

  // MARK: Connections

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    let host = stream.peerHost
    // A trusted proxy's connection counts from its first request on.
    let address = proxies.includes(host) ? nil : PeerAddress(host: host)
    if let address, !arrivals.enter(address, at: server.now) {
      return refuse(stream, "too many connections come from an address")
    }
    do throws(UVError) {
      guard connections.makeRoom() else {
        if let address { arrivals.leave(address) }
        return refuse(stream, "too many connections by HTTP are busy")
      }
      server.edge.meter(stream, from: address)
      let connection = try HTTPConnection(stream, in: connections, delegate: self)
      addresses[ObjectIdentifier(connection)] = address
    } catch {
      if let address { arrivals.leave(address) }
      refuse(stream, "a connection broke at once")
    }
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {
    server.edge.complain(of: error)
  }

  private func refuse(_ stream: ByteStream, _ why: Logger.Message) {
    server.log.info(why, metadata: ["address": "\(stream.peerHost)"])
    stream.close()
  }

  func connectionDidLeave(_ connection: HTTPConnection) {
    guard let address = addresses.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    arrivals.leave(address)
  }

  // MARK: Requests

  func connection(_ connection: HTTPConnection, didReceive request: HTTPRequest) {
    let client = client(of: request, on: connection)
    guard mayAsk(connection, for: client) else {
      connection.finish()
      return connection.say(.tooManyRequests, "Too many requests come from this address.")
    }
    // Those few descriptors are for one short question after the other.
    if isSpare(connection) { connection.finish() }
    guard audience.includes(host: request.host) else {
      return connection.say(.misdirectedRequest, "This server is reached by another name.")
    }
    switch request.target.path {
    case "/ws": upgrade(connection, for: request, from: client)
    case _ where request.method != .get && request.method != .head:
      let response = HTTPResponse(.methodNotAllowed, [("Allow", "GET, HEAD")])
      connection.answer(response)
    case "/healthz": connection.say(.ok, "ok")
    case "/readyz":
      if let obstacle = server.obstacle {
        connection.say(.unavailable, obstacle)
      } else {
        connection.say(.ok, "ready")
      }
    case let path where path.hasPrefix(MediaSigner.root):
      guard let media else {
        return connection.say(.notFound, "This server serves no media.")
      }
      media.answer(request, on: connection)
    case "/.well-known/matinee-push-key":
      // Empty if nothing is pushed: a page that asks has made no mistake.
      connection.say(.ok, pushKey ?? "", SecurityFields.shared)
    default:
      guard let (response, content) = site.answer(to: request) else {
        return connection.say(.notFound, "There is nothing at this address.")
      }
      connection.answer(response, content)
    }
  }

  /// Whether a connection has one of the descriptors that are spared for short questions.
  private func isSpare(_ connection: HTTPConnection) -> Bool {
    connection.stream.hasDescriptor(amongLast: TCPListener.sparedDescriptors)
  }

  /// The address for which a trusted proxy passes on a request; `nil` if none does.
  private func client(of request: HTTPRequest, on connection: HTTPConnection) -> String? {
    guard !proxies.isEmpty else { return nil }
    let host = connection.stream.peerHost
    guard proxies.includes(host) else { return nil }
    return proxies.client(
      behind: host, forwardedFor: request.fields.words(of: "x-forwarded-for"))
  }

  /// Whether the client's address may make one more request now.
  private func mayAsk(_ connection: HTTPConnection, for client: String?) -> Bool {
    let id = ObjectIdentifier(connection)
    if let client, let address = PeerAddress(host: client), address != addresses[id] {
      let isCounted = arrivals.move(from: addresses[id], to: address)
      addresses[id] = isCounted ? address : nil
      guard isCounted else { return false }
    }
    guard let address = addresses[id], !address.isLoopback else { return true }
    return requests.take(by: address, at: server.now)
  }

  private func upgrade(
    _ connection: HTTPConnection, for request: HTTPRequest, from client: String?
  ) {
    guard !server.isDraining else {
      return connection.say(.unavailable, "This server sends everybody to the others.")
    }
    guard !isSpare(connection) else {
      server.edge.complain(of: UVError("accept", .tooManyOpenFiles))
      return connection.say(.unavailable, "This server has no descriptor left for a connection.")
    }
    guard audience.includes(origin: request.fields["origin"], host: request.host) else {
      return connection.say(
        .forbidden, "Pages of this origin may not connect: see matinee serve --origin.")
    }
    do throws(WebSocketRefusal) {
      let handshake = try WebSocketHandshake(request)
      let stream = connection.stream
      guard let rest = connection.upgrade(handshake.response) else { return }
      server.admit(stream, speakingFrames: peers, behind: rest, from: client)
    } catch {
      connection.answer(error.response, SharedBytes("\(error)\n"))
    }
  }
}

@available(*, unavailable)
extension WebDesk: Sendable {}

extension HTTPConnection {
  /// Answers with words for people, which nobody keeps.
  ///
  /// - Parameters:
  ///   - status: the answer.
  ///   - words: what it means.
  ///   - security: whose pages may read it, and what a browser lets it do.
  ///   - pause: how many seconds later the client may ask again (RFC 9110, 10.2.3).
  func say(
    _ status: HTTPStatus, _ words: String,
    _ security: [(name: String, value: String)] = SecurityFields.all, retryAfter pause: Int? = nil
  ) {
    var fields = [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")]
    if let pause { fields.append(("Retry-After", "\(pause)")) }
    answer(HTTPResponse(status, fields + security), SharedBytes(words + "\n"))
  }
}
