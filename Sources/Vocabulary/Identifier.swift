/// A name that stands for one thing of one kind, so that a session is never taken for a device.
///
/// Identifiers the server mints have at most 15 bytes: Swift keeps such strings inline, without
/// an allocation per peer. Those that come from peers are checked against ``Limits``.
public struct Identifier<Kind>: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The identifier as text on the wire.
  public let text: String

  /// An identifier with this text.
  public init(_ text: String) {
    self.text = text
  }

  /// The text.
  public var description: String { text }

  /// Orders identifiers as their texts.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.text < right.text
  }
}

/// A person, over all their devices.
public typealias UserID = Identifier<UserKind>
/// One installation of a client; it has one connection at a time.
public typealias DeviceID = Identifier<DeviceKind>
/// A group of people who are connected: the call.
public typealias GroupID = Identifier<GroupKind>
/// One session of one activity; never reused.
public typealias SessionID = Identifier<SessionKind>
/// One device's stay in one session, from a join to a leave, over any number of connections.
public typealias ParticipantID = Identifier<ParticipantKind>
/// A media item: equal identifiers mean the same timeline.
public typealias ItemID = Identifier<ItemKind>
/// One entry of the shared queue; the same item may be queued twice.
public typealias EntryID = Identifier<EntryKind>
/// An attachment of a session; never reused.
public typealias AttachmentID = Identifier<AttachmentKind>
/// An object of an app's own, among those of its group.
public typealias ObjectID = Identifier<ObjectKind>
/// A server of a cluster, by the address that it advertises to the others.
public typealias ServerID = Identifier<ServerKind>

/// Marks identifiers of people.
public enum UserKind: Sendable {}
/// Marks identifiers of devices.
public enum DeviceKind: Sendable {}
/// Marks identifiers of groups.
public enum GroupKind: Sendable {}
/// Marks identifiers of sessions.
public enum SessionKind: Sendable {}
/// Marks identifiers of participants.
public enum ParticipantKind: Sendable {}
/// Marks identifiers of media items.
public enum ItemKind: Sendable {}
/// Marks identifiers of queue entries.
public enum EntryKind: Sendable {}
/// Marks identifiers of attachments.
public enum AttachmentKind: Sendable {}
/// Marks identifiers of objects.
public enum ObjectKind: Sendable {}
/// Marks identifiers of servers.
public enum ServerKind: Sendable {}

/// One connection, as the shell that holds it and the coordinator know it; never on the wire.
///
/// A number, not a text: the shell finds the connection of each delivery by indexing an array.
public struct PeerID: Hashable, Sendable, CustomStringConvertible {
  /// The connection's slot in the shell's table, which is reused after it closed.
  public let slot: UInt32
  /// How often the slot was used before, so that a late answer never reaches a successor.
  public let generation: UInt32

  /// The connection at this place.
  public init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// The two numbers, for logs.
  public var description: String { "\(slot).\(generation)" }
}

/// The peers that one message goes to, in order.
///
/// Most messages go to one peer, so one peer needs no array.
public enum Peers: RandomAccessCollection, Equatable, Sendable {
  /// One peer.
  case one(PeerID)
  /// Several peers, or none.
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

/// Letters and digits that do not look alike: Crockford's base 32.
private let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

/// The last `digits` digits of a number in base 32, the lowest first.
///
/// Fifteen digits or fewer allocate nothing, as a string keeps them inline.
package func mintedText(_ number: UInt64, digits: Int) -> String {
  var rest = number
  var text = ""
  text.reserveCapacity(digits)
  for _ in 0..<digits {
    text.unicodeScalars.append(UnicodeScalar(alphabet[Int(rest & 31)]))
    rest >>= 5
  }
  return text
}

/// The value of each byte as a digit; 32 if it is none.
private let values: [UInt8] = {
  var values = Array(repeating: UInt8(32), count: 256)
  for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
  return values
}()

/// The number whose digits, the lowest first, these are; `nil` if they are of no number.
package func mintedNumber(_ digits: some BidirectionalCollection<UInt8>) -> UInt64? {
  var number: UInt64 = 0
  for digit in digits.reversed() {
    let value = values[Int(digit)]
    guard value < 32 else { return nil }
    let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 32)
    guard !isTooLarge else { return nil }
    number = shifted + UInt64(value)
  }
  return number
}
