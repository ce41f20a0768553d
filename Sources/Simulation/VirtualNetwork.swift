import Vocabulary

/// A network in virtual time: hosts that connect to one server, over links with delay and faults.
///
/// Messages of one direction never overtake each other, as in TCP; chance comes from a seed, so
/// the same seed gives the same run.
package struct VirtualNetwork<Upward: Sendable, Downward: Sendable>: Sendable {
  /// What arrives somewhere.
  package enum Arrival: Sendable {
    /// The server accepts a host's connection of that number.
    case accepted(Int, connection: Int)
    /// The host's connection stands.
    case opened(Int, connection: Int)
    case atServer(Int, connection: Int, Upward)
    case atHost(Int, connection: Int, Downward)
    /// The server sees the connection end.
    case closedAtServer(Int, connection: Int)
    /// The host sees its connection end, or fail to open.
    case closedAtHost(Int, connection: Int)
  }

  private enum Up: Sendable { case open, payload(Upward), close }
  private enum Down: Sendable { case opened, payload(Downward), close, refused }

  private struct Connection: Sendable {
    let host: Int
    let number: Int
    var up = VirtualDirection<Up>()
    var down = VirtualDirection<Down>()
    /// The server still has it.
    var isServerOpen = false
    /// The host still has it.
    var isHostOpen = true
  }

  /// The links, one a host.
  package private(set) var links: [LinkConditions] = []
  private var connections: [Connection] = []
  /// Whether somebody listens where the hosts connect to.
  private var hasServer = true
  private var nextNumber = 1
  private var chance: SplitMix64

  /// A network without hosts.
  package init(seed: UInt64) {
    chance = SplitMix64(seed: seed)
  }

  /// Adds a host, and says which number it has.
  package mutating func addHost(_ conditions: LinkConditions) -> Int {
    links.append(conditions)
    return links.count - 1
  }

  /// When something arrives next.
  package var nextArrival: Duration? {
    connections.lazy.flatMap { [$0.up.nextArrival, $0.down.nextArrival] }.compactMap(\.self).min()
  }
}

// MARK: Sending

extension VirtualNetwork {
  /// Begins to connect a host; the handshake takes a round trip.
  ///
  /// - Returns: the number of the connection, which later calls name.
  package mutating func connect(_ host: Int, at now: Duration) -> Int {
    var connection = Connection(host: host, number: nextNumber)
    nextNumber += 1
    if links[host].isCut {
      connection.down.send(.refused, at: now, links[host], by: &chance)
    } else {
      connection.up.send(.open, at: now, links[host], by: &chance)
    }
    connections.append(connection)
    return connection.number
  }

  /// Sends from a host over its connection; over a closed one, nothing goes.
  package mutating func send(up payload: Upward, over number: Int, at now: Duration) {
    guard let place = place(number), connections[place].isHostOpen else { return }
    connections[place].up.send(
      .payload(payload), at: now, links[connections[place].host], by: &chance)
  }

  /// Sends from the server over a connection.
  package mutating func send(down payload: Downward, over number: Int, at now: Duration) {
    guard let place = place(number), connections[place].isServerOpen else { return }
    connections[place].down.send(
      .payload(payload), at: now, links[connections[place].host], by: &chance)
  }

  /// The host closes its connection; what it sent before still arrives, and it hears no more.
  package mutating func closeAtHost(_ number: Int, at now: Duration) {
    guard let place = place(number), connections[place].isHostOpen else { return }
    connections[place].isHostOpen = false
    connections[place].up.send(.close, at: now, links[connections[place].host], by: &chance)
  }

  /// The server closes a connection; what it sent before still arrives, and it hears no more.
  package mutating func closeAtServer(_ number: Int, at now: Duration) {
    guard let place = place(number), connections[place].isServerOpen else { return }
    connections[place].isServerOpen = false
    connections[place].down.send(.close, at: now, links[connections[place].host], by: &chance)
  }

  private func place(_ number: Int) -> Int? {
    connections.firstIndex { $0.number == number }
  }
}

// MARK: Faults

extension VirtualNetwork {
  /// From now on a host's messages take that long; what is on the way keeps its time.
  package mutating func set(delay: Duration, jitter: Duration, of host: Int) {
    links[host].delay = delay
    links[host].jitter = jitter
  }

  /// Nothing of a host's passes until then, though its connection stands.
  package mutating func hold(_ host: Int, until moment: Duration) {
    links[host].heldUntil = max(links[host].heldUntil, moment)
    for place in connections.indices where connections[place].host == host {
      connections[place].up.hold(until: moment)
      connections[place].down.hold(until: moment)
    }
  }

  /// A host's connections break at both ends, what is on the way is lost, and none can be opened.
  ///
  /// - Returns: what both ends see, at once.
  package mutating func cut(_ host: Int) -> [Arrival] {
    links[host].isCut = true
    var seen: [Arrival] = []
    for connection in connections where connection.host == host {
      if connection.isServerOpen {
        seen.append(.closedAtServer(host, connection: connection.number))
      }
      if connection.isHostOpen {
        seen.append(.closedAtHost(host, connection: connection.number))
      }
    }
    connections.removeAll { $0.host == host }
    return seen
  }

  /// Connections can be opened again.
  package mutating func restore(_ host: Int) {
    links[host].isCut = false
  }
}

extension VirtualNetwork {
  /// Nobody listens any more: what was sent still arrives, and then each host sees its end.
  package mutating func dropServer(at now: Duration) {
    hasServer = false
    for connection in connections where connection.isServerOpen {
      closeAtServer(connection.number, at: now)
    }
  }

  /// Somebody listens again.
  package mutating func bringServerBack() { hasServer = true }
}

// MARK: Arriving

extension VirtualNetwork {
  /// The next thing that has arrived by now.
  package mutating func receive(at now: Duration) -> Arrival? {
    while let place = earliest(by: now) {
      let number = connections[place].number
      let isUp = Self.comesFirst(connections[place].up, connections[place].down)
      let arrival = isUp ? takeUp(place, at: now) : takeDown(place, at: now)
      forgetIfOver(number)
      if let arrival { return arrival }
    }
    return nil
  }

  private func earliest(by now: Duration) -> Int? {
    let due = connections.indices.compactMap { place in
      [connections[place].up.nextArrival, connections[place].down.nextArrival]
        .compactMap(\.self).min().map { (place, $0) }
    }
    return due.min { ($0.1, $0.0) < ($1.1, $1.0) }.flatMap { $0.1 <= now ? $0.0 : nil }
  }

  private static func comesFirst(
    _ up: VirtualDirection<Up>, _ down: VirtualDirection<Down>
  ) -> Bool {
    guard let first = up.nextArrival else { return false }
    return down.nextArrival.map { first <= $0 } ?? true
  }

  private mutating func takeUp(_ place: Int, at now: Duration) -> Arrival? {
    let (host, number) = (connections[place].host, connections[place].number)
    switch connections[place].up.receive(at: now) {
    case .open:
      guard connections[place].isHostOpen else { return nil }
      guard hasServer else {
        connections[place].down.send(.refused, at: now, links[host], by: &chance)
        return nil
      }
      connections[place].isServerOpen = true
      connections[place].down.send(.opened, at: now, links[host], by: &chance)
      return .accepted(host, connection: number)
    case .payload(let payload):
      return connections[place].isServerOpen
        ? .atServer(host, connection: number, payload) : nil
    case .close:
      guard connections[place].isServerOpen else { return nil }
      connections[place].isServerOpen = false
      return .closedAtServer(host, connection: number)
    case nil: return nil
    }
  }

  private mutating func takeDown(_ place: Int, at now: Duration) -> Arrival? {
    let (host, number) = (connections[place].host, connections[place].number)
    let next = connections[place].down.receive(at: now)
    guard let next, connections[place].isHostOpen else { return nil }
    switch next {
    case .opened: return .opened(host, connection: number)
    case .payload(let payload): return .atHost(host, connection: number, payload)
    case .close, .refused:
      connections[place].isHostOpen = false
      return .closedAtHost(host, connection: number)
    }
  }

  private mutating func forgetIfOver(_ number: Int) {
    guard let place = place(number), !connections[place].isHostOpen,
      !connections[place].isServerOpen, connections[place].up.nextArrival == nil
    else { return }
    connections.remove(at: place)
  }
}

/// What a network does to what is sent over it: data, so that a plan of faults is a value.
package struct LinkConditions: Equatable, Sendable {
  /// The least time one way.
  package var delay: Duration
  /// What chance adds to it, at most.
  package var jitter: Duration
  /// Whether nothing passes and nothing can be opened.
  package var isCut = false
  /// Until then everything sent waits; it arrives all at once, in order.
  package var heldUntil = Duration.zero

  /// A link that works.
  package init(delay: Duration = .milliseconds(2), jitter: Duration = .zero) {
    self.delay = delay
    self.jitter = jitter
  }
}

/// One direction of one connection: what was sent arrives in order, each after its delay.
struct VirtualDirection<Payload: Sendable>: Sendable {
  private var parcels: ArraySlice<(at: Duration, payload: Payload)> = []
  /// When the last parcel arrives: none overtakes it.
  private var lastArrival = Duration.zero

  var nextArrival: Duration? { parcels.first?.at }

  mutating func send(
    _ payload: Payload, at now: Duration, _ conditions: LinkConditions,
    by chance: inout SplitMix64
  ) {
    let jitter = conditions.jitter * (Double(chance.next() >> 11) / 9_007_199_254_740_992)
    let departure = max(now, conditions.heldUntil)
    lastArrival = max(lastArrival, departure + conditions.delay + jitter)
    parcels.append((lastArrival, payload))
  }

  /// What is on the way stands still until then.
  mutating func hold(until moment: Duration) {
    parcels = ArraySlice(parcels.map { (max($0.at, moment), $0.payload) })
    if !parcels.isEmpty { lastArrival = max(lastArrival, moment) }
  }

  mutating func receive(at now: Duration) -> Payload? {
    guard let first = parcels.first, first.at <= now else { return nil }
    parcels.removeFirst()
    return first.payload
  }
}
