import Vocabulary
import Wire

/// The names of rooms, and the groups they belong to.
package enum RoomName {
  /// A room's name cut to the maximum length.
  ///
  /// A managed room's name is not cut, because the cut name would be an ordinary room that
  /// everybody steers.
  package static func truncated(_ name: String, options: SyncplayOptions) -> String {
    let maximum = options.maximumRoomNameLength
    if let room = ManagedRoom(name), room.base.codePointCount <= maximum { return name }
    return name.truncated(toCodePoints: maximum)
  }

  /// The group of a room; it is derived from the name, so that everybody who knows the name joins
  /// the same group.
  static func group(of name: String, limits: Limits) -> GroupID {
    GroupID(identifier(name, limits: limits))
  }

  /// A text as an identifier.
  ///
  /// Texts that identifiers cannot hold are cut and made unique by their hash: empty ones, those
  /// with control characters, and those that are too long, as 35 letters of three bytes each are.
  static func identifier(_ text: String, limits: Limits) -> String {
    guard text.isEmpty || text.utf8.count > limits.identifierBytes || text.hasControls else {
      return text
    }
    let mark = "~" + SyncplayHash.sha256(text).prefix(12)
    let shown = text.filter { !$0.unicodeScalars.contains(where: \.isControl) }
    return shown.truncated(toBytes: limits.identifierBytes - mark.utf8.count) + mark
  }

  /// Whether a room closes with its last client regardless of its content.
  static func isTemporary(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-temp") || name.contains("-temp:")
  }
}

/// The identifiers of users, clients and room keepers at the coordinator.
///
/// Each kind has its own name space, so that a chosen name cannot collide with another kind. Peers
/// of the native protocol cannot use any of these identifiers (``Hello/reserved``).
struct SyncplayIdentifiers: Equatable, Sendable {
  let limits: Limits

  /// The user of all keepers.
  static let keeper = UserID(Hello.reserved + "keeper")
  private static let client = Hello.reserved + "client/"

  /// The user with a name, who is the same at all of their connections.
  func user(named name: String) -> UserID {
    UserID(RoomName.identifier(Hello.reserved + "user/" + name.lowercased(), limits: limits))
  }

  /// The device of a room's keeper, which stays the same after a restart.
  func keeper(of room: String) -> DeviceID {
    DeviceID(RoomName.identifier(Hello.reserved + "room/" + room, limits: limits))
  }

  /// The device of one connection.
  static func client(_ number: UInt64) -> DeviceID {
    DeviceID(client + mintedText(number, digits: 12))
  }

  /// Whether a device belongs to a client's connection, open or closed.
  static func isClient(_ device: DeviceID) -> Bool { device.text.hasPrefix(client) }
}
