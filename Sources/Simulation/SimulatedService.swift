import Signatures
import Vocabulary
package import Wire

/// What serves the hosts of a simulated world: one server or a cluster, and the network to it.
package protocol SimulatedService: Sendable {
  /// Adds a host and returns its number.
  mutating func addHost(_ link: LinkConditions) -> Int
  /// Begins to connect a host.
  ///
  /// - Returns: the connection's number.
  mutating func connect(_ host: Int, at now: Duration) -> Int
  /// Sends from a host over its connection, if that is open.
  mutating func send(_ message: ClientMessage, over connection: Int, at now: Duration)
  /// Closes a connection at its host.
  mutating func close(_ connection: Int, at now: Duration)
  /// When the next event is due.
  var nextEvent: Duration? { get }
  /// Handles what is due, and returns what arrives at hosts meanwhile.
  mutating func advance(to now: Duration) -> [HostArrival]
  /// Something happens to a host's network.
  ///
  /// - Returns: what the host notices at once.
  mutating func inject(_ fault: NetworkFault, at now: Duration) -> [HostArrival]
}

/// What arrives at a host.
package enum HostArrival: Sendable {
  /// A connection is open.
  case opened(Int, connection: Int)
  case message(Int, connection: Int, ServerMessage)
  /// A connection is over, or could not be opened.
  case closed(Int, connection: Int)
}

/// What happens to a host's network, as data; a fault plan is a list of faults with their moments.
package enum NetworkFault: Equatable, Sendable {
  /// The host's connections break, and no new one can be opened.
  case cut(Int)
  case restore(Int)
  case delay(Int, Duration, jitter: Duration)
  /// The host's messages are delayed for this time.
  case hold(Int, for: Duration)
}

extension VirtualNetwork {
  /// Applies a fault.
  ///
  /// - Returns: what both ends notice at once.
  mutating func inject(_ fault: NetworkFault, at now: Duration) -> [Arrival] {
    switch fault {
    case .cut(let host): return cut(host)
    case .restore(let host): restore(host)
    case .delay(let host, let delay, let jitter): set(delay: delay, jitter: jitter, of: host)
    case .hold(let host, let duration): hold(host, until: now + duration)
    }
    return []
  }
}

/// One server, and the network to it.
package struct LoneServer: SimulatedService {
  private var network: VirtualNetwork<ClientMessage, ServerMessage>
  private var server: SimulatedServer

  /// - Parameter seed: of the network's chance.
  init(_ server: SimulatedServer, seed: UInt64) {
    self.server = server
    network = VirtualNetwork(seed: seed)
  }

  /// Makes somebody known who has been here before; call it before adding hosts.
  mutating func know(_ user: UserID, by credential: CredentialHash) {
    server.know(user, by: credential)
  }

  package mutating func addHost(_ link: LinkConditions) -> Int { network.addHost(link) }

  package mutating func connect(_ host: Int, at now: Duration) -> Int {
    network.connect(host, at: now)
  }

  package mutating func send(_ message: ClientMessage, over connection: Int, at now: Duration) {
    network.send(up: message, over: connection, at: now)
  }

  package mutating func close(_ connection: Int, at now: Duration) {
    network.closeAtHost(connection, at: now)
  }

  package var nextEvent: Duration? {
    [network.nextArrival, server.nextDeadline].compactMap(\.self).min()
  }

  package mutating func advance(to now: Duration) -> [HostArrival] {
    var arrivals: [HostArrival] = []
    while let arrival = network.receive(at: now) { take(arrival, at: now, &arrivals) }
    if let due = server.nextDeadline, due <= now { carryOut(server.advance(to: now), at: now) }
    return arrivals
  }

  package mutating func inject(_ fault: NetworkFault, at now: Duration) -> [HostArrival] {
    var arrivals: [HostArrival] = []
    for arrival in network.inject(fault, at: now) { take(arrival, at: now, &arrivals) }
    return arrivals
  }

  /// The server crashes with its connections; none can be opened until it is started.
  mutating func kill(at now: Duration) {
    server.die()
    network.dropServer(at: now)
  }

  /// The server starts from its journal.
  mutating func start(at now: Duration) {
    network.bringServerBack()
    carryOut(server.start(at: now), at: now)
  }

  private mutating func take(
    _ arrival: VirtualNetwork<ClientMessage, ServerMessage>.Arrival, at now: Duration,
    _ arrivals: inout [HostArrival]
  ) {
    switch arrival {
    case .accepted(_, let connection): carryOut(server.accept(connection, at: now), at: now)
    case .atServer(_, let connection, let message):
      carryOut(server.receive(message, over: connection, at: now), at: now)
    case .closedAtServer(_, let connection):
      carryOut(server.lose(connection, at: now), at: now)
    case .opened(let host, let connection): arrivals.append(.opened(host, connection: connection))
    case .atHost(let host, let connection, let message):
      arrivals.append(.message(host, connection: connection, message))
    case .closedAtHost(let host, let connection):
      arrivals.append(.closed(host, connection: connection))
    }
  }

  private mutating func carryOut(_ effects: [SimulatedServer.Effect], at now: Duration) {
    for effect in effects {
      switch effect {
      case .send(let message, let connection):
        network.send(down: message, over: connection, at: now)
      case .close(let connection): network.closeAtServer(connection, at: now)
      }
    }
  }
}
