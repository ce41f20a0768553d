import Coordination
import Vocabulary

/// The audiences behind a link: which of the peers of a server in front hear what is told an audience.
struct LinkFollowers: Sendable {
  private var audiences: [AudienceNumber: [PeerID]] = [:]
  /// The audiences of each peer: mostly a group's and a session's.
  private var followed: [PeerID: [AudienceNumber]] = [:]

  /// Those of an audience that are to be told something.
  func receivers(of audience: AudienceNumber, except others: Peers) -> Peers {
    let all = audiences[audience] ?? []
    return .many(others.isEmpty ? all : all.filter { !others.contains($0) })
  }

  mutating func add(_ peer: PeerID, to audience: AudienceNumber) {
    guard followed[peer]?.contains(audience) != true else { return }
    followed[peer, default: []].append(audience)
    audiences[audience, default: []].append(peer)
  }

  /// Removes a peer from an audience.
  mutating func remove(_ peer: PeerID, from audience: AudienceNumber) {
    followed[peer]?.removeAll { $0 == audience }
    if followed[peer]?.isEmpty == true { followed[peer] = nil }
    leave(audience, peer)
  }

  /// Removes a peer that is gone.
  mutating func remove(_ peer: PeerID) {
    for audience in followed.removeValue(forKey: peer) ?? [] { leave(audience, peer) }
  }

  mutating func end(_ audience: AudienceNumber) {
    for peer in audiences.removeValue(forKey: audience) ?? [] { remove(peer, from: audience) }
  }

  private mutating func leave(_ audience: AudienceNumber, _ peer: PeerID) {
    audiences[audience]?.removeAll { $0 == peer }
    if audiences[audience]?.isEmpty == true { audiences[audience] = nil }
  }
}
