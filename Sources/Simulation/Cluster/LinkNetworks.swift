/// The networks between the nodes of a simulated cluster: each node is the server of one, and a host in
/// all.
struct LinkNetworks: Sendable {
  typealias Network = VirtualNetwork<[UInt8], [UInt8]>

  private var networks: [Network] = []
  /// Until when each node's links do not work.
  private var cutUntil: [Duration]

  /// - Parameter seed: of the networks' chance.
  init(of count: Int, seed: UInt64) {
    cutUntil = Array(repeating: .zero, count: count)
    for number in 0..<count {
      var network = Network(seed: seed &+ UInt64(number))
      for _ in 0..<count {
        _ = network.addHost(
          LinkConditions(delay: .microseconds(100), jitter: .microseconds(200)))
      }
      network.dropServer(at: .zero)
      networks.append(network)
    }
  }

  /// The network of those who connect to a node.
  subscript(node: Int) -> Network {
    get { networks[node] }
    _modify { yield &networks[node] }
  }

  /// When something arrives, or works again.
  func nextEvent(after now: Duration) -> Duration? {
    (networks.map(\.nextArrival) + cutUntil.filter { $0 > now }).compactMap(\.self).min()
  }

  /// Breaks a node's links; none can be made before a moment.
  ///
  /// - Returns: what both ends notice at once, with the node that each network is of.
  mutating func cut(_ node: Int, until moment: Duration) -> [(node: Int, Network.Arrival)] {
    cutUntil[node] = max(cutUntil[node], moment)
    return networks.indices.flatMap { other in
      networks[other].cut(node).map { (other, $0) } + networks[node].cut(other).map { (node, $0) }
    }
  }

  /// Lets links be made again between nodes whose time has come.
  mutating func restore(at now: Duration) {
    for node in networks.indices where cutUntil[node] <= now {
      for other in networks.indices where cutUntil[other] <= now { networks[node].restore(other) }
    }
  }

  /// Delays what is said over a node's links until a moment.
  mutating func hold(_ node: Int, until moment: Duration) {
    for other in networks.indices {
      networks[other].hold(node, until: moment)
      networks[node].hold(other, until: moment)
    }
  }

  /// Freezes a node until a moment: it hears nothing meanwhile.
  mutating func freeze(_ node: Int, until moment: Duration) {
    networks[node].holdServer(until: moment)
    for other in networks.indices { networks[other].hold(node, until: moment) }
  }
}
