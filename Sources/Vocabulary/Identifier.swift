/// A name that stands for one thing of one kind, so that a session is never taken for a device.
///
/// Identifiers the server mints have at most 15 bytes: Swift keeps such strings inline, without
/// an allocation per peer. Those that come from peers are checked against ``Limits``.
public struct Identifier<Kind>: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The identifier as it stands on the wire.
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
/// A group of people who are in touch: the call.
public typealias GroupID = Identifier<GroupKind>
/// One session of one activity; never used again after it ended.
public typealias SessionID = Identifier<SessionKind>
/// One device's stay in one session, from a join to a leave, over any number of connections.
public typealias ParticipantID = Identifier<ParticipantKind>
/// A media item: equal identifiers mean the same timeline.
public typealias ItemID = Identifier<ItemKind>
/// One place in the shared queue; the same item may stand in the queue twice.
public typealias EntryID = Identifier<EntryKind>

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
