import Vocabulary

/// A network in virtual time: hosts connect to one server over links with delays and faults.
///
/// Messages in one direction never overtake each other, as in TCP. Random numbers come from a seed,
/// so the same seed gives the same run.
package struct VirtualNetwork<Upward: Sendable, Downward: Sendable>: Sendable {
  /// Something that arrives at a host or at the server.
  package enum Arrival: Sendable {
    /// The server accepts the host's connection with this number.
    case accepted(Int, connection: Int)
    /// The host's connection is open.
    case opened(Int, connection: Int)
    case atServer(Int, connection: Int, Upward)
    case atHost(Int, connection: Int, Downward)
    /// The connection ends at the server.
    case closedAtServer(Int, connection: Int)
    /// The connection ends at the host, or could not be opened.
    case closedAtHost(Int, connection: Int)
  }

  private enum Up: Sendable { case open, payload(Upward), close }
  private enum Down: Sendable { case opened, payload(Downward), close, refused }

  private struct Connection: Sendable {
    let host: Int
    let number: Int
    var up = VirtualDirection<Up>()
    var down = VirtualDirection<Down>()
    /// Whether the connection is open at the server.
    var isServerOpen = false
    /// Whether the connection is open at the host, or being opened.
    var isHostOpen = true
  }

  /// The links, one per host.
  package private(set) var links: [LinkConditions] = []
  private var connections: [Connection] = []
  /// Whether the server accepts connections.
  private var hasServer = true
  /// What hosts send arrives no sooner.
  private var serverHeldUntil = Duration.zero
  private var nextNumber = 1
  private var generator: SplitMix64

  /// A network without hosts.
  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// Adds a host and returns its number.
  package mutating func addHost(_ conditions: LinkConditions) -> Int {
    links.append(conditions)
    return links.count - 1
  }

  /// When the next message arrives.
  package var nextArrival: Duration? {
    connections.lazy.flatMap { [$0.up.nextArrival, $0.down.nextArrival] }.compactMap(\.self).min()
  }
}

// MARK: Sending

extension VirtualNetwork {
  /// Begins to connect a host; the handshake takes a round trip.
  ///
  /// - Returns: the connection's number.
  package mutating func connect(_ host: Int, at now: Duration) -> Int {
    var connection = Connection(host: host, number: nextNumber)
    nextNumber += 1
    if links[host].isCut {
      connection.down.send(.refused, at: now, links[host], by: &generator)
    } else {
      connection.up.send(
        .open, at: now, links[host], by: &generator, notBefore: serverHeldUntil)
    }
    connections.append(connection)
    return connection.number
  }

  /// Sends from a host over its connection, if that is open.
  package mutating func send(up payload: Upward, over number: Int, at now: Duration) {
    guard let index = index(number), connections[index].isHostOpen else { return }
    connections[index].up.send(
      .payload(payload), at: now, links[connections[index].host], by: &generator,
      notBefore: serverHeldUntil)
  }

  /// Sends from the server over a connection, if that is open.
  package mutating func send(down payload: Downward, over number: Int, at now: Duration) {
    guard let index = index(number), connections[index].isServerOpen else { return }
    connections[index].down.send(
      .payload(payload), at: now, links[connections[index].host], by: &generator)
  }

  /// Closes a connection at the host; messages it sent before still arrive, but it receives none.
  package mutating func closeAtHost(_ number: Int, at now: Duration) {
    guard let index = index(number), connections[index].isHostOpen else { return }
    connections[index].isHostOpen = false
    connections[index].up.send(
      .close, at: now, links[connections[index].host], by: &generator, notBefore: serverHeldUntil)
  }

  /// Closes a connection at the server; messages it sent before still arrive, but it receives none.
  package mutating func closeAtServer(_ number: Int, at now: Duration) {
    guard let index = index(number), connections[index].isServerOpen else { return }
    connections[index].isServerOpen = false
    connections[index].down.send(.close, at: now, links[connections[index].host], by: &generator)
  }

  private func index(_ number: Int) -> Int? {
    connections.firstIndex { $0.number == number }
  }
}

// MARK: Faults

extension VirtualNetwork {
  /// Sets the delay of a host's messages from now on; messages under way keep theirs.
  package mutating func set(delay: Duration, jitter: Duration, of host: Int) {
    links[host].delay = delay
    links[host].jitter = jitter
  }

  /// Holds a host's messages until a moment, without breaking its connections.
  package mutating func hold(_ host: Int, until moment: Duration) {
    links[host].heldUntil = max(links[host].heldUntil, moment)
    for index in connections.indices where connections[index].host == host {
      connections[index].up.hold(until: moment)
      connections[index].down.hold(until: moment)
    }
  }

  /// Breaks a host's connections at both ends, loses the messages under way, and allows no new
  /// ones.
  ///
  /// - Returns: what both ends notice at once.
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

  /// Allows a host's connections again.
  package mutating func restore(_ host: Int) {
    links[host].isCut = false
  }
}

extension VirtualNetwork {
  /// Stops the server: messages it sent before still arrive, then each host sees its connection
  /// end.
  package mutating func dropServer(at now: Duration) {
    hasServer = false
    for connection in connections where connection.isServerOpen {
      closeAtServer(connection.number, at: now)
    }
  }

  /// Freezes the server until a moment: it accepts and reads nothing meanwhile; its host does.
  package mutating func holdServer(until moment: Duration) {
    serverHeldUntil = max(serverHeldUntil, moment)
    for index in connections.indices { connections[index].up.hold(until: moment) }
  }

  /// The server takes no connections from now on; those that are there stay.
  package mutating func stopListening() { hasServer = false }

  /// Accepts connections again.
  package mutating func bringServerBack() { hasServer = true }
}

// MARK: Arriving

extension VirtualNetwork {
  /// Removes and returns the next arrival that is due.
  package mutating func receive(at now: Duration) -> Arrival? {
    while let index = earliest(by: now) {
      let number = connections[index].number
      let isUp = Self.comesFirst(connections[index].up, connections[index].down)
      let arrival = isUp ? takeUp(index, at: now) : takeDown(index, at: now)
      forgetIfOver(number)
      if let arrival { return arrival }
    }
    return nil
  }

  private func earliest(by now: Duration) -> Int? {
    let due = connections.indices.compactMap { index in
      [connections[index].up.nextArrival, connections[index].down.nextArrival]
        .compactMap(\.self).min().map { (index, $0) }
    }
    return due.min { ($0.1, $0.0) < ($1.1, $1.0) }.flatMap { $0.1 <= now ? $0.0 : nil }
  }

  private static func comesFirst(
    _ up: VirtualDirection<Up>, _ down: VirtualDirection<Down>
  ) -> Bool {
    guard let first = up.nextArrival else { return false }
    return down.nextArrival.map { first <= $0 } ?? true
  }

  private mutating func takeUp(_ index: Int, at now: Duration) -> Arrival? {
    let (host, number) = (connections[index].host, connections[index].number)
    switch connections[index].up.receive(at: now) {
    case .open:
      guard connections[index].isHostOpen else { return nil }
      guard hasServer else {
        connections[index].down.send(.refused, at: now, links[host], by: &generator)
        return nil
      }
      connections[index].isServerOpen = true
      connections[index].down.send(.opened, at: now, links[host], by: &generator)
      return .accepted(host, connection: number)
    case .payload(let payload):
      return connections[index].isServerOpen
        ? .atServer(host, connection: number, payload) : nil
    case .close:
      guard connections[index].isServerOpen else { return nil }
      connections[index].isServerOpen = false
      return .closedAtServer(host, connection: number)
    case nil: return nil
    }
  }

  private mutating func takeDown(_ index: Int, at now: Duration) -> Arrival? {
    let (host, number) = (connections[index].host, connections[index].number)
    let next = connections[index].down.receive(at: now)
    guard let next, connections[index].isHostOpen else { return nil }
    switch next {
    case .opened: return .opened(host, connection: number)
    case .payload(let payload): return .atHost(host, connection: number, payload)
    case .close, .refused:
      connections[index].isHostOpen = false
      return .closedAtHost(host, connection: number)
    }
  }

  private mutating func forgetIfOver(_ number: Int) {
    guard let index = index(number), !connections[index].isHostOpen,
      !connections[index].isServerOpen, connections[index].up.nextArrival == nil
    else { return }
    connections.remove(at: index)
  }
}

/// What a network does to messages, as data, so that a fault plan is a value.
package struct LinkConditions: Equatable, Sendable {
  /// The minimum delay in one direction.
  package var delay: Duration
  /// The maximum random delay in addition.
  package var jitter: Duration
  /// Whether nothing passes and no connection can be opened.
  package var isCut = false
  /// Messages sent before this moment wait for it, and then arrive in order.
  package var heldUntil = Duration.zero

  /// A working link.
  package init(delay: Duration = .milliseconds(2), jitter: Duration = .zero) {
    self.delay = delay
    self.jitter = jitter
  }
}

/// One direction of a connection: messages arrive in order, each after its delay.
struct VirtualDirection<Payload: Sendable>: Sendable {
  private var messages: ArraySlice<(at: Duration, payload: Payload)> = []
  /// When the last message arrives; none overtakes it.
  private var lastArrival = Duration.zero

  var nextArrival: Duration? { messages.first?.at }

  mutating func send(
    _ payload: Payload, at now: Duration, _ conditions: LinkConditions,
    by generator: inout SplitMix64, notBefore moment: Duration = .zero
  ) {
    let jitter = conditions.jitter * (Double(generator.next() >> 11) / 9_007_199_254_740_992)
    let departure = max(now, conditions.heldUntil)
    lastArrival = max(lastArrival, departure + conditions.delay + jitter, moment)
    messages.append((lastArrival, payload))
  }

  /// Holds the messages under way until a moment.
  mutating func hold(until moment: Duration) {
    messages = ArraySlice(messages.map { (max($0.at, moment), $0.payload) })
    if !messages.isEmpty { lastArrival = max(lastArrival, moment) }
  }

  mutating func receive(at now: Duration) -> Payload? {
    guard let first = messages.first, first.at <= now else { return nil }
    messages.removeFirst()
    return first.payload
  }
}
