/// What happens to a simulated cluster, as data.
package enum ClusterFault: Equatable, Sendable {
  /// The server's process at a node is killed, and started again after this time.
  case kill(Int, for: Duration)
  /// The server's process at a node does nothing for this time.
  case freeze(Int, for: Duration)
  /// The server at a node is drained: its people are sent to the others one by one, and then it is
  /// started anew.
  case drain(Int)
  /// The links of a node break, and none can be made for this time.
  case cutLinks(Int, for: Duration)
  /// What is said over the links of a node arrives late.
  case holdLinks(Int, for: Duration)
  /// A node does not reach the database for this time.
  case cutOff(Int, for: Duration)
  /// The database answers nobody for this time, and then everything.
  case holdDatabase(for: Duration)
  /// The database is killed, and is there again after this time.
  case killDatabase(for: Duration)
}

extension SimulatedWorld where Service == SimulatedCluster {
  /// Applies a fault now.
  package mutating func inject(_ fault: ClusterFault) { service.inject(fault, at: now) }
}
