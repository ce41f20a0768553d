import Vocabulary

/// The connections that receive what is published on each topic.
struct Audiences: Sendable {
  private var audiences: [AudienceTopic: [PeerID]] = [:]

  subscript(topic: AudienceTopic) -> [PeerID] { audiences[topic] ?? [] }

  /// The connections that receive a publication.
  ///
  /// - Parameter peer: finds a device's connection.
  func receivers(
    of topic: AudienceTopic, _ recipients: FrontWord.Recipients, by peer: (DeviceID) -> PeerID?
  ) -> [PeerID] {
    let audience = self[topic]
    switch recipients {
    case .all: return audience
    case .only(let devices):
      let chosen = Set(devices.compactMap(peer))
      return audience.filter { chosen.contains($0) }
    case .except(let devices):
      let others = Set(devices.compactMap(peer))
      return audience.filter { !others.contains($0) }
    }
  }

  mutating func add(_ peer: PeerID, to topic: AudienceTopic) {
    guard audiences[topic]?.contains(peer) != true else { return }
    audiences[topic, default: []].makeRoom()
    audiences[topic, default: []].append(peer)
  }

  mutating func remove(_ peer: PeerID, from topic: AudienceTopic) {
    audiences[topic]?.removeAll { $0 == peer }
    if audiences[topic]?.isEmpty == true { audiences[topic] = nil }
  }

  mutating func disperse(_ topic: AudienceTopic) { audiences[topic] = nil }
}
