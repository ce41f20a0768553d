import Clusters
import Vocabulary
import Wire

/// A machine of a simulated cluster, and the server's process that runs there.
struct SimulatedNode: Sendable {
  typealias Network = VirtualNetwork<ClientMessage, ServerMessage>

  /// A server's process: it stands by, with a front once another one takes links, and decides once it
  /// has the journal.
  struct Process: Sendable {
    let identity: Int64
    var front: SimulatedFront?
    var decider: SimulatedDecider?
    /// When it listens, having taken the journal; `nil` once it does.
    var opensAt: Duration?
    /// When it next shows that it lives, or looks whether the owner does.
    var nextPulse: Duration
    /// When it next beats over its links.
    var nextBeat: Duration
    /// When the next one of its people is sent away, as it is being drained; `nil` unless it is.
    var nextDeparture: Duration?
    /// When its writer reaches the database again; `nil` while it does.
    var reconnectsAt: Duration?
    var watch = PulseWatch()
    var lookedAt: Duration
    /// The node that it follows.
    var followed: Int?
    /// Its link to that node.
    var link: (node: Int, connection: Int)?

    /// A process that starts.
    init(_ identity: Int64, at now: Duration) {
      self.identity = identity
      (nextPulse, lookedAt) = (now, now)
      nextBeat = now + LinkSilence.pause
    }

    /// Sends one of the people here to another server; `nil` once nobody is left.
    mutating func sendOneBack(at now: Instant) -> [NodeEffect]? {
      front?.sendOneBack() ?? decider?.sendOneBack(at: now)
    }

    /// Notes a look at the database; true if nobody decides any more.
    mutating func isOver(_ look: PulseWatch.Look, at now: Duration) -> Bool {
      defer { lookedAt = now }
      return watch.take(look, after: now - lookedAt) != .alive
    }

    /// When something happens in it, apart from what arrives.
    var nextDeadline: Duration {
      let deadline = decider?.nextDeadline.map { $0 - SimulatedServer.epoch }
      return [opensAt, nextDeparture, reconnectsAt, deadline].compactMap(\.self)
        .reduce(min(nextPulse, nextBeat), min)
    }
  }

  /// The network of the people who connect here.
  var people: Network
  /// `nil` while none runs.
  var process: Process?
  /// When a process starts, while none runs.
  var startsAt: Duration
  /// Nothing happens in the process before.
  var frozenUntil = Duration.zero

  /// A node whose first process starts at a moment.
  ///
  /// - Parameter seed: of its people's network.
  init(startsAt moment: Duration, seed: UInt64) {
    people = Network(seed: seed)
    people.dropServer(at: .zero)
    startsAt = moment
  }

  /// Nothing happens in the process, and it hears nothing, before a moment.
  mutating func freeze(until moment: Duration) {
    frozenUntil = moment
    people.holdServer(until: moment)
  }

  /// When something happens here, apart from what arrives.
  var nextDeadline: Duration { max(process?.nextDeadline ?? startsAt, frozenUntil) }

  /// Whether people may come in.
  var takesPeople: Bool { process?.front != nil || isDeciding }

  /// Whether people and other servers may connect here to the server that decides.
  var isDeciding: Bool { process.map { $0.decider != nil && $0.opensAt == nil } ?? false }
}

/// What a node of a simulated cluster carries out for its server.
enum NodeEffect: Sendable {
  /// A message for one of its people.
  case send(ServerMessage, over: Int)
  /// Close the connection of one of its people.
  case close(Int)
  /// A line for a server in front.
  case say([UInt8], over: Int)
  case closeLink(Int)
  case write([SimulatedDatabase.Write], number: Int)
  /// Link it, as a server in front, to the server that decides.
  case linkUp
  case closeLinkUp
  /// A line for the server that decides.
  case sayUp([UInt8])
  /// Send everybody to the other servers, one by one.
  case drain
}

/// The connections of a simulated server, and the peers that they are.
struct PeerNumbers: Sendable {
  private var peers: [Int: PeerID] = [:]
  private var connections: [PeerID: Int] = [:]

  /// How many connections there are.
  var count: Int { peers.count }

  /// The peer that has been here longest.
  var first: PeerID? { connections.keys.min { $0.slot < $1.slot } }

  subscript(connection: Int) -> PeerID? { peers[connection] }

  func connection(of peer: PeerID) -> Int? { connections[peer] }

  mutating func add(_ peer: PeerID, _ connection: Int) {
    (peers[connection], connections[peer]) = (peer, connection)
  }

  /// Forgets a connection.
  ///
  /// - Returns: its peer.
  @discardableResult
  mutating func remove(_ connection: Int) -> PeerID? {
    guard let peer = peers.removeValue(forKey: connection) else { return nil }
    connections[peer] = nil
    return peer
  }
}
