import Vocabulary

/// The connections of a simulated server, and the peers that they are.
struct PeerNumbers: Sendable {
  private var peers: [Int: PeerID] = [:]
  private var connections: [PeerID: Int] = [:]

  /// How many connections there are.
  var count: Int { peers.count }

  /// The peer that has been here longest.
  var first: PeerID? { connections.keys.min { $0.slot < $1.slot } }

  /// The peer of a connection.
  subscript(connection: Int) -> PeerID? { peers[connection] }

  /// The connection of a peer.
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
