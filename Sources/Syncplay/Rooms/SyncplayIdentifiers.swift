import Vocabulary
import Wire

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
