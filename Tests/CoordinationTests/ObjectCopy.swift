import Testing
import UserNotifications
import Vocabulary
import Wire

/// A device's copy of an object: what it was sent, and what it fetches where something is missing.
struct ObjectCopy {
  let object: ServerObject
  var mirror = StateMirror()
  var fetches = 0
  /// How many of the notifications it was sent are taken in, or were lost.
  private var seen = 0

  init(_ object: ServerObject) {
    self.object = object
  }

  /// Takes in what came since, but for those that are lost.
  mutating func follow(
    _ stage: inout Stage, on device: DeviceID, losing isLost: (Int) -> Bool = { _ in false }
  ) throws {
    let changes = stage.notifications(device).map { ReceivedMessage($0.payload) }
      .filter { $0.serverObject == object }
    for (number, change) in changes.enumerated().dropFirst(seen) where !isLost(number) {
      guard let delta = StateDelta(change.payload), mirror.apply(delta) != .gap else {
        try fetch(&stage, on: device)
        continue
      }
    }
    seen = changes.count
  }

  mutating func fetch(_ stage: inout Stage, on device: DeviceID) throws {
    fetches += 1
    try stage.notify(device, .objectState(object))
    guard case .objectState(_, object, let version, let fields)? = stage.inbox(device).last else {
      throw ProtocolError(.busy)
    }
    mirror.replace(with: fields, version: version)
  }
}
