package import EventLoops
package import HTTP
internal import Vocabulary

/// The HTTP connections of one loop, with their number and deadlines bounded.
///
/// Confined to its loop's thread.
package final class HTTPConnectionList {
  let loop: EventLoop
  package let limits: HTTPConnectionLimits
  let backlogs: Backlogs
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private lazy var timer = LoopTimer(on: loop) { [unowned self] in closeOverdue() }

  /// How often deadlines are looked at: a connection may be late by as much.
  private static let tick = Duration.seconds(1)

  /// - Parameter backlogs: bounds what waits for all clients of this list and others together.
  package init(
    on loop: EventLoop, limits: HTTPConnectionLimits = HTTPConnectionLimits(),
    backlogs: Backlogs = Backlogs(atMost: .max)
  ) {
    self.loop = loop
    self.limits = limits
    self.backlogs = backlogs
  }

  /// How many connections there are.
  package var count: Int { connections.count }

  /// Makes room for one more connection: if there is none, the one goes that has waited longest for a
  /// request.
  ///
  /// - Returns: false if all connections are busy.
  package func makeRoom() -> Bool {
    guard connections.count >= limits.connections else { return true }
    let idle = connections.values.filter(\.isIdle)
    guard let oldest = idle.min(by: { $0.deadline < $1.deadline }) else { return false }
    oldest.close()
    return true
  }

  /// Closes all connections, each as soon as the answer under way is sent.
  package func finish() {
    for connection in Array(connections.values) { connection.finish() }
  }

  func add(_ connection: HTTPConnection) {
    if connections.isEmpty { timer.fire(at: loop.now + Self.tick) }
    connections[ObjectIdentifier(connection)] = connection
  }

  func remove(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    if connections.isEmpty { timer.fire(at: nil) }
  }

  private func closeOverdue() {
    let now = loop.now
    for connection in Array(connections.values) where connection.deadline <= now {
      connection.close()
    }
    if !connections.isEmpty { timer.fire(at: now + Self.tick) }
  }
}

@available(*, unavailable)
extension HTTPConnectionList: Sendable {}

/// The limits of HTTP connections on this process's memory and time.
package struct HTTPConnectionLimits: Equatable, Sendable {
  /// Connections at once.
  package var connections: Int
  /// Requests of one address at once: a page has a hundred parts, and a household several readers.
  package var requestBurst = 2_000
  /// Requests of one address a second after that: players seek a few times.
  package var requestsPerSecond = 200
  /// How much one client may ask.
  package var requests = HTTPLimits()
  /// How long a new connection may take to its first request.
  package var requestTime = Duration.seconds(10)
  /// How long a connection may wait for its next request; browsers open a new one as quickly.
  package var idleTime = Duration.seconds(30)
  /// How long an answer may take without being read.
  package var sendTime = Duration.seconds(60)
  /// How long a client may pause within a content that is sent in pieces: players read ahead, and wait
  /// until it is watched.
  package var mediaTime = Duration.seconds(600)
  /// How long the client may take to close after the last answer.
  package var drainTime = Duration.seconds(2)

  package init(connections: Int = 1_000) { self.connections = connections }
}
