package import Vocabulary

/// Who was removed from a session for good: people, with all their devices.
package struct Bans: Equatable, Sendable {
  /// The devices that people were removed with, because in a group that anybody may enter a person
  /// can come back under another name.
  package private(set) var devices: Set<DeviceID>
  package private(set) var users: Set<UserID>

  package init(devices: Set<DeviceID> = [], users: Set<UserID> = []) {
    self.devices = devices
    self.users = users
  }

  package var isEmpty: Bool { devices.isEmpty && users.isEmpty }
  package var count: Int { max(devices.count, users.count) }

  package mutating func insert(_ identity: Identity) {
    devices.insert(identity.device)
    users.insert(identity.user)
  }

  package func contains(_ identity: Identity) -> Bool {
    contains(identity.user, on: identity.device)
  }

  package func contains(_ user: UserID, on device: DeviceID?) -> Bool {
    users.contains(user) || device.map { devices.contains($0) } == true
  }
}
