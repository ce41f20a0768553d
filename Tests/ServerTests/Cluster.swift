import Coordination
import EventLoops
import Logging
import LoopTesting
import Naming
import Syncplay
import TLS
import Testing
import Transports
import Vocabulary

@testable import Server

/// A server that decides and servers in front of it, on one loop.
final class Cluster {
  let test: TestLoop
  let server: MatineeServer
  let door: LinkDoor
  private(set) var fronts: [FrontServer] = []
  private let pem: [UInt8]
  private let syncplay: SyncplayConfiguration?
  /// The port for clients of Syncplay at each server in front.
  private(set) var syncplayPorts: [UInt16] = []
  private let lines = Locked<[String]>([])

  /// - Parameter syncplay: how clients of Syncplay are served; `nil` if they are not.
  init(
    _ test: TestLoop, _ limits: Limits = Limits(), fronts: Int = 1,
    syncplay options: SyncplayOptions? = nil
  ) throws {
    self.test = test
    syncplay = options.map { SyncplayConfiguration(endpoints: [Self.anywhere], options: $0) }
    pem = SelfSignedCertificate.make()
    (server, door) = try Self.server(as: pem, limits, on: test.loop)
    if let syncplay { try SyncplayDialect(syncplay, on: server) }
    for _ in 0..<fronts { try addFront(limits) }
    try test.run { self.fronts.allSatisfy(\.isReady) }
  }

  private static let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  private static let anywhere = ServerConfiguration.Endpoint(host: "127.0.0.1", port: 0)

  private static func server(
    as pem: [UInt8], _ limits: Limits, on loop: EventLoop
  ) throws -> (MatineeServer, LinkDoor) {
    let configuration = ServerConfiguration(endpoints: [anywhere], limits: limits)
    let server = try MatineeServer(configuration, on: loop, log: quiet)
    let identity = try TLSIdentity(certificates: pem, key: pem)
    return (server, try LinkDoor(at: anywhere, named: "10.0.0.1:7879", as: identity, on: server))
  }

  @discardableResult
  func addFront(
    _ limits: Limits = Limits(), showing shown: [UInt8]? = nil, isLinked: Bool = true
  ) throws -> FrontServer {
    let key = try TLSIdentity(certificates: pem, key: pem).fingerprint
    let front = try FrontServer(
      ServerConfiguration(endpoints: [Self.anywhere], limits: limits),
      named: ServerID("10.0.0.\(fronts.count + 2):7879"),
      sharing: try TLSTrust(linkKey: key, showing: shown ?? pem), on: test.loop,
      log: Logger(label: "test") { [lines] _ in LineLog(lines: lines) })
    if isLinked { front.follow(Self.endpoint(of: door.endpoints)) }
    if let syncplay {
      let endpoint = Self.endpoint(of: try front.open(syncplay).endpoints)
      syncplayPorts.append(try #require(endpoint).port)
    }
    fronts.append(front)
    return front
  }

  private static func endpoint(of texts: [String]) -> ServerConfiguration.Endpoint? {
    texts.first.flatMap { ServerConfiguration.Endpoint($0) }
  }

  func follow(_ front: FrontServer) {
    front.follow(Self.endpoint(of: door.endpoints))
  }

  func call(_ server: any EdgeServer) throws -> Caller {
    try Caller(port: try #require(Self.endpoint(of: server.endpoints)).port, on: test)
  }

  /// Somebody in a group, who came in at this server.
  func enter(_ group: String, as name: String, at server: any EdgeServer) throws -> Caller {
    let caller = try call(server)
    try caller.enter(group, as: name)
    try test.run { caller.heard(#""type":"ok","id":1"#) }
    return caller
  }

  /// A link of which a test writes the lines itself.
  func link() throws -> StreamRecorder {
    let key = try TLSIdentity(certificates: pem, key: pem).fingerprint
    let endpoint = try #require(door.endpoints.first.flatMap { ServerConfiguration.Endpoint($0) })
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(
      host: endpoint.host, port: endpoint.port, under: try TLSTrust(linkKey: key, showing: pem),
      on: test.loop
    ) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    return try StreamRecorder(try #require(result).get())
  }

  /// What servers in front have logged.
  var log: [String] { lines.withLock { $0 } }

  /// How many messages went over links.
  var linkedMessages: Int {
    server.edge.lists.filter { $0.dialect == "link" }.reduce(0) {
      $0 + $1.list.traffic.messagesSent
    }
  }

  func stop() {
    for front in fronts { front.stop() }
    server.stop()
  }
}

@available(*, unavailable)
extension Cluster: Sendable {}
