import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

// Sessions with two named places, and an audience.

extension Stage {
  /// What a client that may be a spectator says of itself.
  static let watcher: Set<Feature> = [.sessions, .audience]

  /// Devices in one group, and a session with an audience that the first one began.
  ///
  /// - Parameters:
  ///   - isWatching: whether all join it, in their order.
  ///   - change: changes the limits.
  static func hall(
    _ devices: [DeviceID], isWatching: Bool = true,
    _ change: (inout Limits) -> Void = { _ in }
  ) throws -> (Stage, SessionID) {
    var limits = Limits()
    limits.namedPlaces = 2
    change(&limits)
    // Some come in at other servers.
    var stage = Stage(limits: limits, fronts: 2)
    for device in devices { try stage.come(device) }
    let id = try stage.activate(devices[0], Activation(movie(), hasAudience: true))
    if isWatching { for device in devices { try stage.join(device, id) } }
    return (stage, id)
  }

  /// Connects a device that may be a spectator, and brings it into the group.
  mutating func come(_ device: DeviceID, user: UserID? = nil) throws {
    connect(as: device, user: user, features: Self.watcher)
    try ask(device, .joinGroup("g"))
  }

  func isSpectator(_ device: DeviceID) -> Bool {
    coordinator.groups.seats[device]?.isSpectator == true
  }

  func isMember(_ device: DeviceID) -> Bool {
    coordinator.groups.rooms.groups["g"]?.group?.members[device] != nil
  }
}
