import Vocabulary
import Wire

/// What rooms are called, and the groups that they are.
package enum RoomName {
  /// A room's name as it counts: cut to the maximum, but for a managed room's, which would be an
  /// ordinary room of that name that everybody steers.
  package static func truncated(_ name: String, options: SyncplayOptions) -> String {
    let maximum = options.maximumRoomNameLength
    if let room = ManagedRoom(name), room.base.codePointCount <= maximum { return name }
    return name.truncated(toCodePoints: maximum)
  }

  /// The group of a room: the one of its name, so that everybody who knows it meets there.
  static func group(of name: String, limits: Limits) -> GroupID {
    GroupID(identifier(name, limits: limits))
  }

  /// A text as an identifier: one longer than those may be, as 35 letters of three bytes are, is
  /// cut and told apart by its hash; so are the empty one, and one with control characters, which
  /// identifiers do not hold.
  static func identifier(_ text: String, limits: Limits) -> String {
    guard text.isEmpty || text.utf8.count > limits.identifierBytes || text.hasControls else {
      return text
    }
    let mark = "~" + SyncplayHash.sha256(text).prefix(12)
    let shown = text.filter { !$0.unicodeScalars.contains(where: \.isControl) }
    return shown.truncated(toBytes: limits.identifierBytes - mark.utf8.count) + mark
  }

  /// Whether a room goes with its last client whatever is in it.
  static func isTemporary(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-temp") || name.contains("-temp:")
  }
}

/// As whom people, their clients and the keepers of rooms are known to the coordinator.
///
/// Each kind has a name space of its own, which nobody reaches by choosing a name; and none of them
/// can be said by a peer of the native protocol (``Hello/reserved``).
struct SyncplayIdentifiers: Equatable, Sendable {
  let limits: Limits

  /// As whom keepers say hello.
  static let keeper = UserID(Hello.reserved + "keeper")
  private static let client = Hello.reserved + "client/"

  /// The person with a name: the same one at each of their connections.
  func user(named name: String) -> UserID {
    UserID(RoomName.identifier(Hello.reserved + "user/" + name.lowercased(), limits: limits))
  }

  /// The device that keeps a room: the same one after a restart.
  func keeper(of room: String) -> DeviceID {
    DeviceID(RoomName.identifier(Hello.reserved + "room/" + room, limits: limits))
  }

  /// The device of one connection.
  static func client(_ number: UInt64) -> DeviceID {
    DeviceID(client + mintedText(number, digits: 12))
  }

  /// Whether a device is a connection of some client, be it gone.
  static func isClient(_ device: DeviceID) -> Bool { device.text.hasPrefix(client) }
}
