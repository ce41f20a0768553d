import EventLoops
import Syncplay
import Transports
import Vocabulary
import Wire

/// What a server has for Syncplay's clients beside what it has for all.
struct SyncplayService {
  /// What stands between them and the coordinator.
  var lobby: SyncplayLobby
  var encoder = SyncplayLineEncoder()
  private var pool = SharedBytesPool()
  let connections: FlushList
  private(set) var listeners: [TCPListener] = []

  /// A service whose lobby is empty, and that nobody can come to yet.
  init(_ options: SyncplayOptions, limits: Limits, on loop: EventLoop) {
    lobby = SyncplayLobby(options, limits: limits)
    // No last word to whoever does not read: any is an Error, after which clients stay away.
    connections = FlushList(
      on: loop, limits: ConnectionLimits(limits, lineBytes: SyncplayLimits.lineBytes),
      linesEndingWith: .carriageReturnLineFeed)
  }

  mutating func listen(
    at endpoint: ServerConfiguration.Endpoint, delegate: any TCPListenerDelegate
  ) throws(EndpointError) {
    listeners.append(
      try TCPListener(
        host: endpoint.host, port: endpoint.port, on: connections.loop, delegate: delegate))
  }

  mutating func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  /// A State's line; `nil` if no client would live through it.
  mutating func encode(_ state: SyncplayServerState) -> SharedBytes? {
    let line = encoder.encode(state)
    return line.isEmpty ? nil : pool.share(line)
  }

  /// A message's line; `nil` if no client would live through it.
  mutating func encode(_ message: SyncplayServerMessage) -> SharedBytes? {
    let line = encoder.encode(message)
    return line.isEmpty ? nil : SharedBytes(line)
  }

  /// The lines of several pieces of news, as one; `nil` if there are none that clients live through.
  mutating func encode(_ news: [SyncplayNews]) -> SharedBytes? {
    var lines: [UInt8] = []
    for piece in news { lines += encoder.encode(.set(piece)) }
    return lines.isEmpty ? nil : SharedBytes(lines)
  }
}
