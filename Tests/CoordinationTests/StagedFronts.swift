import Vocabulary

@testable import Coordination

/// Servers at which a stage's clients come in, and which keep their audiences.
struct StagedFronts {
  private let count: Int
  private var links: [PeerID: LinkID] = [:]
  private var followers: [AudienceNumber: [PeerID]] = [:]

  init(count: Int) { self.count = count }

  /// The same servers, after the one that decides has died.
  var restarted: StagedFronts { StagedFronts(count: count) }

  /// Lets a client in; `nil` for every so many that come in at the server that decides.
  mutating func admit(_ peer: PeerID) -> LinkID? {
    let place = Int(peer.slot) % (count + 1)
    guard place < count else { return nil }
    links[peer] = LinkID(place: UInt8(place))
    return links[peer]
  }

  mutating func forget(_ peer: PeerID) {
    links[peer] = nil
    for number in followers.keys { followers[number]?.removeAll { $0 == peer } }
  }

  mutating func carryOut(_ order: AudienceOrder) {
    switch order {
    case .follow(let number, let peer):
      if links[peer] != nil { followers[number, default: []].append(peer) }
    case .unfollow(let number, let peer): followers[number]?.removeAll { $0 == peer }
    case .disperse(let relay): followers[relay.number] = nil
    }
  }

  func receivers(of relay: AudienceRelay) -> [PeerID] {
    (followers[relay.number] ?? []).filter { peer in
      links[peer].map(relay.links.contains) == true && !relay.except.contains(peer)
    }
  }
}
