import Coordination
package import EventLoops
import HTTP
import Logging
package import TLS
import Transports
import Vocabulary
package import WebAddresses
import Wire

/// The addresses for browsers, and whose pages may connect.
package struct WebConfiguration: Sendable {
  package var endpoints: [ServerConfiguration.Endpoint]
  package var encryption: Encryption
  /// Origins of pages of other servers that may connect, such as `https://app.example`.
  package var origins: [WebOrigin]
  /// Where browsers find the server's own page, such as behind a proxy; `nil` for its endpoints.
  package var page: WebOrigin?
  /// The proxies that are believed when they say for whom they pass on a request.
  package var trustedProxies: TrustedProxies
  /// The media that participants may fetch; `nil` if there are none.
  package var media: ReadableFolder?
  /// The public key with which pages subscribe to pushes, in Base64URL; `nil` if nothing is pushed.
  package var pushKey: String?

  /// A configuration.
  package init(
    endpoints: [ServerConfiguration.Endpoint], encryption: Encryption = Encryption(),
    origins: [WebOrigin] = [], page: WebOrigin? = nil,
    trustedProxies: TrustedProxies = TrustedProxies(), media: ReadableFolder? = nil,
    pushKey: String? = nil
  ) {
    self.media = media
    self.endpoints = endpoints
    self.encryption = encryption
    self.origins = origins
    self.page = page
    self.trustedProxies = trustedProxies
    self.pushKey = pushKey
  }
}

/// A server's addresses for browsers.
package final class WebDoor: Door {
  private var listeners: [TCPListener] = []
  private let connections: HTTPConnectionList
  private let media: WebMedia?

  /// Starts listening.
  ///
  /// - Throws: `EndpointError`, which says which address cannot be listened on, why, and what to
  ///   do, or the system's error if no thread can be started for the media.
  @discardableResult
  package convenience init(_ configuration: WebConfiguration, on server: MatineeServer) throws {
    try self.init(configuration, at: server)
    if configuration.media != nil,
      let door = Self.mediaDoor(of: configuration, listeners.map(\.localPort))
    {
      server.take(.mediaDoor(door))
    }
  }

  /// Starts listening, as a server that decides or one in front of it.
  init(_ configuration: WebConfiguration, at server: any EdgeServer) throws {
    media = try configuration.media.map { try WebMedia($0, of: server) }
    connections = HTTPConnectionList(
      on: server.loop, limits: HTTPConnectionLimits(connections: server.limits.webConnections),
      backlogs: server.edge.backlogs)
    let peers = server.edge.webSocketList()
    let origins = configuration.origins + (configuration.page.map { [$0] } ?? [])
    for endpoint in configuration.endpoints {
      let security = StreamSecurity(
        identity: configuration.encryption.identity, speaking: .http,
        allowsPlaintext: configuration.encryption.allowsPlaintext || endpoint.isLoopback,
        answerToPlaintext: Self.answerToPlaintext)
      let desk = WebDesk(
        of: server, connections, peers,
        for: WebAudience(origins: origins, isOnlyLocal: endpoint.isLoopback),
        trusting: configuration.trustedProxies, media: media, pushKey: configuration.pushKey)
      listeners.append(
        try TCPListener(
          host: endpoint.host, port: endpoint.port, security: security, on: server.loop,
          delegate: desk))
    }
    server.edge.add(self)
  }

  /// Where players fetch media: at the first address that others reach, or else, behind a proxy, at
  /// the first origin by which it is reached.
  private static func mediaDoor(of web: WebConfiguration, _ ports: [UInt16]) -> MediaDoor? {
    if let page = web.page { return .origin(page.text) }
    let isEncrypted = web.encryption.identity != nil
    let doors = zip(web.endpoints, ports)
    if let (_, port) = doors.first(where: { !$0.0.isLoopback }) {
      return .port(Int(port), isEncrypted: isEncrypted)
    }
    return ports.first.map { .port(Int($0), isEncrypted: isEncrypted) }
  }

  /// To who speaks without encryption where it is required.
  private static let answerToPlaintext = {
    let text = "This address speaks https.\n"
    let response = HTTPResponse(.badRequest, [("Content-Type", "text/plain")])
    return SharedBytes(
      response.head(bodyBytes: text.utf8.count, date: WallClock.read(), .closes) + text.utf8)
  }()

  package var endpoints: [String] { listeners.map(\.localEndpoint) }

  // A server that is drained lets no page in, and goes on with the films of those who watch.
  package var isForPeople: Bool { false }

  package func use(_ identity: TLSIdentity) {
    for listener in listeners { listener.security = listener.security?.with(identity) }
  }

  package func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
    connections.finish()
    media?.close()
  }
}

@available(*, unavailable)
extension WebDoor: Sendable {}
