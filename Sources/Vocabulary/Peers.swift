/// The peers that one message goes to, in order.
///
/// Most of what is sent goes to one of them: no array is made for that.
public enum Peers: RandomAccessCollection, Equatable, Sendable {
  case one(PeerID)
  case many([PeerID])

  /// Where the first one stands.
  @inlinable public var startIndex: Int { 0 }

  /// How many there are.
  @inlinable public var endIndex: Int {
    switch self {
    case .one: 1
    case .many(let peers): peers.count
    }
  }

  /// The peer at a place from 0.
  @inlinable
  public subscript(position: Int) -> PeerID {
    switch self {
    case .one(let peer):
      precondition(position == 0, "one peer has no place \(position)")
      return peer
    case .many(let peers): return peers[position]
    }
  }
}
