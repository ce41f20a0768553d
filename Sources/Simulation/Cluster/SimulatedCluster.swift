import Clusters
import Coordination
package import Vocabulary
package import Wire

/// Several servers that share a database, and the networks between them and people, in virtual time.
///
/// The coordinator, both ends of the links, their lines, and the judgement of a server's pulse are the
/// real ones; processes, networks and the database are simulated. All servers have the same clock.
package struct SimulatedCluster: Sendable {
  private let limits: Limits
  private var nodes: [SimulatedNode] = []
  private var links: LinkNetworks
  private var connections: DatabaseConnections
  private var generator: SplitMix64
  private var lastIdentity: Int64 = 0
  private var hosts: HostConnections
  private var now = Duration.zero

  /// How long a server takes from having the journal to listening.
  private static let openingTime = Duration.milliseconds(150)
  /// How long one person is sent away after another from a server that is drained.
  private static let departurePause = Duration.milliseconds(100)
  /// How long a process that has ended takes to start anew.
  private static let restartTime = Duration.seconds(1)

  /// - Parameters:
  ///   - count: how many servers there are.
  ///   - seed: of everything that chance decides.
  package init(of count: Int, _ limits: Limits = Limits(), seed: UInt64) {
    (self.limits, generator) = (limits, SplitMix64(seed: seed))
    hosts = HostConnections(to: count)
    connections = DatabaseConnections(seed: generator.next())
    links = LinkNetworks(of: count, seed: generator.next())
    for number in 0..<count {
      nodes.append(SimulatedNode(startsAt: .milliseconds(10 * number), seed: generator.next()))
    }
  }

  /// The node that decides; `nil` while none can.
  package var decidingNode: Int? {
    nodes.indices.first {
      nodes[$0].isDeciding && nodes[$0].process?.identity == database.owner
        && nodes[$0].frozenUntil <= now
    }
  }

  private var instant: Instant { SimulatedServer.epoch + now }

  private mutating func chance(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// Removes and returns what hosts heard.
  package mutating func takeHeard() -> [(host: Int, message: ServerMessage)] { hosts.takeHeard() }

  /// How many people the server that decides takes for connected.
  package var peerCount: Int {
    decidingNode.flatMap { nodes[$0].process?.decider?.peerCount } ?? 0
  }

  /// What the servers share.
  package var database: SimulatedDatabase { connections.database }
}

// MARK: Time

extension SimulatedCluster: SimulatedService {
  package var nextEvent: Duration? {
    let times = nodes.flatMap { [$0.people.nextArrival, $0.nextDeadline] }
    let others = [links.nextEvent(after: now), connections.nextArrival]
    return (times + others).compactMap(\.self).min()
  }

  package mutating func advance(to now: Duration) -> [HostArrival] {
    self.now = now
    links.restore(at: now)
    for node in nodes.indices {
      while let arrival = nodes[node].people.receive(at: now) { take(arrival, at: node) }
      while let arrival = links[node].receive(at: now) { take(arrival, at: node) }
    }
    for answer in connections.advance(to: now) { take(answer) }
    for node in nodes.indices where nodes[node].nextDeadline <= now { turn(node) }
    return hosts.takeArrivals()
  }

  // A process is never copied, because what the server knows would be copied at the next change.
  private mutating func turn(_ node: Int) {
    guard nodes[node].process != nil else { return start(node) }
    func isDue(_ moment: Duration?) -> Bool { moment.map { $0 <= now } ?? false }
    if isDue(nodes[node].process?.reconnectsAt) { reconnect(node) }
    if isDue(nodes[node].process?.opensAt) { open(node) }
    if isDue(nodes[node].process?.nextBeat) { beat(node) }
    if let due = nodes[node].process?.decider?.nextDeadline, due <= instant {
      decide(at: node) { $0.advanceClock(to: $1) }
    }
    if isDue(nodes[node].process?.nextPulse) { pulse(node) }
    if isDue(nodes[node].process?.nextDeparture) { depart(node) }
  }

  private mutating func beat(_ node: Int) {
    nodes[node].process?.nextBeat = now + LinkSilence.pause
    carryOut(nodes[node].process?.front?.beat(), at: node)
    decide(at: node) { $0.beat(at: $1) }
  }
}

// MARK: The database

extension SimulatedCluster {
  private mutating func take(_ answer: DatabaseConnections.Answer) {
    guard nodes[answer.node].process?.identity == answer.process else { return }
    guard answer.isKept else { return stop(answer.node) }
    decide(at: answer.node) { $0.didKeep(at: $1) }
  }

  /// The connections of a node to the database are over, until a moment.
  private mutating func loseDatabase(at node: Int, until moment: Duration) {
    guard let process = nodes[node].process else { return }
    connections.disconnect(node, process: process.identity)
    nodes[node].process?.watch.restart()
    guard process.decider != nil else { return }
    let delay = Duration.milliseconds(chance(50...300))
    nodes[node].process?.reconnectsAt = moment + delay
    decide(at: node) { $0.didLoseDatabase(at: $1) }
  }

  private mutating func reconnect(_ node: Int) {
    guard connections.reaches(from: node, at: now), connections.heldUntil <= now else {
      nodes[node].process?.reconnectsAt = now + PulseWatch.pause
      return
    }
    nodes[node].process?.reconnectsAt = nil
    connections.reconnect(node)
    decide(at: node) { $0.didReachDatabase(at: $1) }
  }

  /// A process shows that it lives, or looks whether the owner does.
  private mutating func pulse(_ node: Int) {
    guard let process = nodes[node].process else { return }
    let pause = PulseWatch.pause + .milliseconds(chance(0...20))
    nodes[node].process?.nextPulse = max(now, connections.heldUntil) + pause
    guard connections.reaches(from: node, at: now) else {
      return nodes[node].process?.watch.restart() ?? ()
    }
    // A call that the database does not answer ends when it does.
    guard connections.heldUntil <= now else {
      nodes[node].process?.nextPulse = connections.heldUntil
      return
    }
    // One that is being drained no longer stands by.
    guard process.decider != nil else { return process.nextDeparture == nil ? look(node) : () }
    let link = process.opensAt == nil ? node : nil
    if !connections.ask({ $0.beat(by: process.identity, takingLinksAt: link) }) { stop(node) }
  }

  private mutating func look(_ node: Int) {
    let look = database.look
    guard let identity = nodes[node].process?.identity,
      nodes[node].process?.isOver(look, at: now) == true
    else { return follow(database.link, at: node) }
    if connections.ask({ $0.take(for: identity, after: look) }) { recover(node) }
  }

  // MARK: Processes

  private mutating func start(_ node: Int) {
    lastIdentity += 1
    nodes[node].process = SimulatedNode.Process(lastIdentity, at: now)
    pulse(node)
  }

  /// A process has the journal: it sends its people back, and goes on from the contents.
  private mutating func recover(_ node: Int) {
    carryOut(nodes[node].process?.front?.stop(), at: node)
    nodes[node].process?.front = nil
    nodes[node].people.dropServer(at: now)
    do throws(BrokenStream) {
      let recovery = try database.recovery()
      nodes[node].process?.decider = SimulatedDecider(limits, seed: generator.next())
      nodes[node].process?.opensAt = now + Self.openingTime
      decide(at: node) { $0.start(from: recovery, at: $1) }
    } catch {
      preconditionFailure("the coordinator stored a stream without its beginning: \(error)")
    }
  }

  private mutating func open(_ node: Int) {
    nodes[node].process?.opensAt = nil
    nodes[node].process?.nextPulse = now
    nodes[node].people.bringServerBack()
    links[node].bringServerBack()
  }

  /// An operator has a server drained, unless no other one could go on.
  private mutating func drain(_ node: Int) {
    guard let deciding = decidingNode, let process = nodes[deciding].process else { return }
    let id = ServerID("node-\(node)")
    let isFollowed = process.decider?.isFollowed(without: id) == true
    if node == deciding {
      if isFollowed, process.nextDeparture == nil { beginDeparture(node) }
    } else if isFollowed || process.nextDeparture == nil {
      decide(at: deciding) { decider, _ in decider.drain(id) }
    }
  }

  private mutating func beginDeparture(_ node: Int) {
    nodes[node].process?.nextDeparture = now
    nodes[node].people.stopListening()
  }

  /// One more leaves a server that is being drained; once all have left, it gives the journal back.
  private mutating func depart(_ node: Int) {
    nodes[node].process?.nextDeparture = now + Self.departurePause
    let instant = instant
    if let effects = nodes[node].process?.sendOneBack(at: instant) {
      return carryOut(effects, at: node)
    }
    if let process = nodes[node].process, connections.reaches(from: node, at: now) {
      connections.ask { $0.giveBack(by: process.identity) }
    }
    stop(node)
  }

  /// A process tells its people to come back, and ends.
  private mutating func stop(_ node: Int) {
    carryOut(nodes[node].process?.front?.stop(), at: node)
    decide(at: node) { $0.stop(at: $1) }
    end(node, until: now + Self.restartTime)
  }

  private mutating func end(_ node: Int, until moment: Duration) {
    carryOut([.closeLinkUp], at: node)
    connections.disconnect(node, process: nodes[node].process?.identity)
    nodes[node].process = nil
    nodes[node].startsAt = moment
    nodes[node].people.dropServer(at: now)
    links[node].dropServer(at: now)
  }

  /// A process takes people in for the node that takes links.
  private mutating func follow(_ link: Int?, at node: Int) {
    guard let process = nodes[node].process else { return }
    if process.front == nil {
      guard link != nil else { return }
      nodes[node].process?.front = SimulatedFront(limits, named: ServerID("node-\(node)"))
      nodes[node].people.bringServerBack()
    }
    guard process.followed != link else { return }
    nodes[node].process?.followed = link
    carryOut(nodes[node].process?.front?.follow(isThere: link != nil), at: node)
  }

  private mutating func carryOut(_ effects: [NodeEffect]?, at node: Int) {
    for effect in effects ?? [] {
      switch effect {
      case .send(let message, let connection):
        nodes[node].people.send(down: message, over: connection, at: now)
      case .close(let connection): nodes[node].people.closeAtServer(connection, at: now)
      case .say(let line, let connection):
        links[node].send(down: line.dropLast(), over: connection, at: now)
      case .closeLink(let connection): links[node].closeAtServer(connection, at: now)
      case .write(let writes, let number):
        guard let process = nodes[node].process?.identity else { break }
        connections.send(writes, number, from: node, by: process, at: now)
      case .linkUp:
        guard let target = nodes[node].process?.followed else { break }
        nodes[node].process?.link = (target, links[target].connect(node, at: now))
      case .closeLinkUp:
        guard let link = nodes[node].process?.link else { break }
        links[link.node].closeAtHost(link.connection, at: now)
        nodes[node].process?.link = nil
      case .sayUp(let line):
        guard let link = nodes[node].process?.link else { break }
        links[link.node].send(up: line.dropLast(), over: link.connection, at: now)
      case .drain: beginDeparture(node)
      }
    }
  }

  /// Lets the server that decides do something, if it is at this node.
  private mutating func decide(
    at node: Int, _ act: (inout SimulatedDecider, Instant) -> [NodeEffect]
  ) {
    let instant = instant
    carryOut(nodes[node].process?.decider?.perform(act, at: instant), at: node)
  }
}

// MARK: What arrives

extension SimulatedCluster {
  package mutating func addHost(_ link: LinkConditions) -> Int {
    for node in nodes.indices { _ = nodes[node].people.addHost(link) }
    return hosts.addHost()
  }

  package mutating func connect(_ host: Int, at now: Duration) -> Int {
    let node = hosts.node(for: host)
    return hosts.number(of: nodes[node].people.connect(host, at: now), at: node)
  }

  package mutating func send(_ message: ClientMessage, over connection: Int, at now: Duration) {
    let place = hosts.place(of: connection)
    nodes[place.node].people.send(up: message, over: place.connection, at: now)
  }

  package mutating func close(_ connection: Int, at now: Duration) {
    hosts.close(connection)
    let place = hosts.place(of: connection)
    nodes[place.node].people.closeAtHost(place.connection, at: now)
  }

  private mutating func take(_ arrival: SimulatedNode.Network.Arrival, at node: Int) {
    switch arrival {
    case .accepted(_, let connection):
      guard nodes[node].takesPeople else {
        return nodes[node].people.closeAtServer(connection, at: now)
      }
      let instant = instant
      carryOut(nodes[node].process?.front?.accept(connection, at: instant), at: node)
      decide(at: node) { $0.accept(connection, at: $1) }
    case .atServer(_, let connection, let message):
      carryOut(nodes[node].process?.front?.receive(message, over: connection), at: node)
      decide(at: node) { $0.receive(message, over: connection, at: $1) }
    case .closedAtServer(_, let connection):
      carryOut(nodes[node].process?.front?.lose(connection), at: node)
      decide(at: node) { $0.lose(connection, at: $1) }
    case .opened(let host, let connection):
      hosts.didOpen(hosts.number(of: connection, at: node), of: host)
    case .atHost(let host, let connection, let message):
      hosts.didHear(message, over: hosts.number(of: connection, at: node), at: host)
    case .closedAtHost(let host, let connection):
      let isRestless = chance(0...1) == 0
      hosts.didClose(hosts.number(of: connection, at: node), of: host, isRestless: isRestless)
    }
  }

  private mutating func take(_ arrival: LinkNetworks.Network.Arrival, at node: Int) {
    switch arrival {
    case .accepted(_, let connection):
      guard nodes[node].isDeciding else {
        return links[node].closeAtServer(connection, at: now)
      }
      decide(at: node) { decider, _ in decider.acceptLink(connection) }
    case .atServer(_, let connection, let line):
      decide(at: node) { $0.hear(line, over: connection, at: $1) }
    case .closedAtServer(_, let connection):
      decide(at: node) { $0.loseLink(connection, at: $1) }
    case .opened(let front, let connection) where isLink(connection, to: node, of: front):
      nodes[front].process?.front?.didConnect()
    case .atHost(let front, let connection, let line)
    where isLink(connection, to: node, of: front):
      carryOut(nodes[front].process?.front?.hear(line), at: front)
    case .closedAtHost(let front, let connection) where isLink(connection, to: node, of: front):
      nodes[front].process?.link = nil
      carryOut(nodes[front].process?.front?.didLoseLink(), at: front)
    case .opened, .atHost, .closedAtHost: break
    }
  }

  private func isLink(_ connection: Int, to node: Int, of front: Int) -> Bool {
    nodes[front].process?.link.map { $0 == (node, connection) } ?? false
  }

  // MARK: Faults

  package mutating func inject(_ fault: NetworkFault, at now: Duration) -> [HostArrival] {
    self.now = now
    for node in nodes.indices {
      for arrival in nodes[node].people.inject(fault, at: now) { take(arrival, at: node) }
    }
    return hosts.takeArrivals()
  }

  /// Applies a fault at a moment.
  package mutating func inject(_ fault: ClusterFault, at now: Duration) {
    self.now = now
    switch fault {
    case .kill(let node, let time): end(node, until: max(now + time, nodes[node].frozenUntil))
    case .freeze(let node, let time):
      let end = max(nodes[node].frozenUntil, now + time)
      nodes[node].freeze(until: end)
      links.freeze(node, until: end)
      connections.freeze(node, until: end)
    case .drain(let node): drain(node)
    case .cutLinks(let node, let time):
      for (end, arrival) in links.cut(node, until: now + time) { take(arrival, at: end) }
    case .holdLinks(let node, let time): links.hold(node, until: now + time)
    case .cutOff(let node, let time):
      connections.cutOff(node, until: now + time)
      loseDatabase(at: node, until: now + time)
    case .holdDatabase(let time): connections.holdAll(until: now + time)
    case .killDatabase(let time):
      for node in nodes.indices { loseDatabase(at: node, until: now + time) }
      connections.killDatabase(until: now + time)
    }
  }
}
