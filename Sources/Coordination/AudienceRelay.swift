package import Vocabulary

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
