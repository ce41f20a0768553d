package import Vocabulary

/// The connections that receive what is published on each topic.
///
/// Those that came in at another server which keeps audiences itself are sent a publication once for
/// all, by their audience's number.
struct Audiences: Sendable {
  private struct Audience {
    let number: AudienceNumber
    var here: [PeerID] = []
    var behind: [LinkID: Set<PeerID>] = [:]

    var isEmpty: Bool { here.isEmpty && behind.isEmpty }
  }

  private var audiences: [AudienceTopic: Audience] = [:]
  private var lastNumber = AudienceNumber(0)

  /// The connections that receive what is published on a topic, wherever they came in.
  subscript(topic: AudienceTopic) -> [PeerID] {
    guard let audience = audiences[topic] else { return [] }
    return audience.here + audience.behind.values.joined().inOrder
  }

  /// The connections that receive a publication, and the links over which it goes once.
  ///
  /// - Parameter peer: finds a device's connection.
  func receivers(
    of topic: AudienceTopic, _ recipients: FrontWord.Recipients, by peer: (DeviceID) -> PeerID?
  ) -> (peers: [PeerID], relay: AudienceRelay?) {
    guard let audience = audiences[topic] else { return ([], nil) }
    switch recipients {
    case .all: return (audience.here, relay(to: audience, except: []))
    case .only(let devices):
      let chosen = Set(devices.compactMap(peer))
      return (self[topic].filter { chosen.contains($0) }, nil)
    case .except(let devices):
      let others = Set(devices.compactMap(peer))
      return (
        audience.here.filter { !others.contains($0) }, relay(to: audience, except: others)
      )
    }
  }

  private func relay(to audience: Audience, except others: Set<PeerID>) -> AudienceRelay? {
    guard !audience.behind.isEmpty else { return nil }
    return AudienceRelay(
      number: audience.number, links: audience.behind.keys.sorted(), except: others.inOrder)
  }

  /// Adds a connection to a topic's audience.
  ///
  /// - Returns: the audience's number, if the server at the connection's link is to be told.
  mutating func add(
    _ peer: PeerID, over link: LinkID?, to topic: AudienceTopic
  ) -> AudienceNumber? {
    if audiences[topic] == nil {
      lastNumber = lastNumber.next
      audiences[topic] = Audience(number: lastNumber)
    }
    if let link {
      let isNew = audiences[topic]?.behind[link, default: []].insert(peer).inserted == true
      return isNew ? audiences[topic]?.number : nil
    }
    guard audiences[topic]?.here.contains(peer) == false else { return nil }
    audiences[topic]?.here.makeRoom()
    audiences[topic]?.here.append(peer)
    return nil
  }

  /// Removes a connection from a topic's audience.
  ///
  /// - Returns: the audience's number, if the server at the connection's link is to be told.
  mutating func remove(
    _ peer: PeerID, over link: LinkID?, from topic: AudienceTopic
  ) -> AudienceNumber? {
    defer { if audiences[topic]?.isEmpty == true { audiences[topic] = nil } }
    guard let link else {
      audiences[topic]?.here.removeAll { $0 == peer }
      return nil
    }
    guard audiences[topic]?.behind[link]?.remove(peer) != nil else { return nil }
    if audiences[topic]?.behind[link]?.isEmpty == true { audiences[topic]?.behind[link] = nil }
    return audiences[topic]?.number
  }

  /// Ends a topic's audience.
  ///
  /// - Returns: the audience that servers in front are to be told of.
  mutating func disperse(_ topic: AudienceTopic) -> AudienceRelay? {
    audiences.removeValue(forKey: topic).flatMap { relay(to: $0, except: []) }
  }
}

extension Sequence<PeerID> {
  /// The connections in the order of their slots, so that the same input has the same output.
  fileprivate var inOrder: [PeerID] { sorted { $0.slot < $1.slot } }
}

/// A link to a server at which people come in and that keeps their audiences itself.
package struct LinkID: Hashable, Comparable, Sendable {
  /// Its place among the links, which a later one may take.
  package let place: UInt8

  package init(place: UInt8) { self.place = place }

  package static func < (left: LinkID, right: LinkID) -> Bool { left.place < right.place }
}

/// What links call an audience; none is used twice.
package struct AudienceNumber: Hashable, Sendable {
  package let value: UInt32

  package init(_ value: UInt32) { self.value = value }

  var next: AudienceNumber { AudienceNumber(value &+ 1) }
}

/// The part of an audience that is behind links.
package struct AudienceRelay: Equatable, Sendable {
  package let number: AudienceNumber
  /// The links behind which somebody follows.
  package let links: [LinkID]
  /// The connections that do not receive it, here or behind any link.
  package let except: [PeerID]

  package init(number: AudienceNumber, links: [LinkID], except: [PeerID]) {
    self.number = number
    self.links = links
    self.except = except
  }
}

/// What servers that keep audiences are told of one.
package enum AudienceOrder: Equatable, Sendable {
  /// The peer is in the audience from now on; the server at its link is told.
  case follow(AudienceNumber, PeerID)
  /// It is in the audience no longer.
  case unfollow(AudienceNumber, PeerID)
  /// The audience is over; the servers at all its links are told.
  case disperse(AudienceRelay)
}
