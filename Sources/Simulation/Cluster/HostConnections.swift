import Wire

/// The connections of all hosts to the nodes of a simulated cluster, and what they bring the hosts.
struct HostConnections: Sendable {
  private let nodeCount: Int
  /// Which node each host tries next.
  private var preferences: [Int] = []
  private var opened: Set<Int> = []
  private var arrivals: [HostArrival] = []
  private var heard: [(host: Int, message: ServerMessage)] = []

  init(to nodeCount: Int) { self.nodeCount = nodeCount }

  /// Adds a host.
  ///
  /// - Returns: its number.
  mutating func addHost() -> Int {
    preferences.append(preferences.count % nodeCount)
    return preferences.count - 1
  }

  /// Which node a host tries next.
  func node(for host: Int) -> Int { preferences[host] }

  /// The number that a connection of a node has among those of all.
  func number(of connection: Int, at node: Int) -> Int { connection * nodeCount + node }

  /// The node of a connection, and its number there.
  func place(of number: Int) -> (node: Int, connection: Int) {
    (number % nodeCount, number / nodeCount)
  }

  /// A host closes a connection.
  mutating func close(_ number: Int) { opened.remove(number) }

  /// A connection is there.
  mutating func didOpen(_ number: Int, of host: Int) {
    opened.insert(number)
    arrivals.append(.opened(host, connection: number))
  }

  mutating func didHear(_ message: ServerMessage, over number: Int, at host: Int) {
    heard.append((host, message))
    arrivals.append(.message(host, connection: number, message))
  }

  /// A connection is over, or is refused: whoever got no further tries the next node.
  ///
  /// - Parameter isRestless: whether a host does so whose connection was open.
  mutating func didClose(_ number: Int, of host: Int, isRestless: Bool) {
    if opened.remove(number) == nil || isRestless {
      preferences[host] = (place(of: number).node + 1) % nodeCount
    }
    arrivals.append(.closed(host, connection: number))
  }

  /// Removes and returns what hosts heard.
  mutating func takeHeard() -> [(host: Int, message: ServerMessage)] {
    defer { heard = [] }
    return heard
  }

  /// Removes and returns what has arrived.
  mutating func takeArrivals() -> [HostArrival] {
    defer { arrivals = [] }
    return arrivals
  }
}
