import DequeModule
import GroupSessions
import Playback
import Vocabulary

/// The connected spectators of one session, and those of them whose players are slow.
struct Spectators: Sendable {
  private(set) var devices: Set<DeviceID> = []
  private var slow: Set<DeviceID> = []
  /// What everybody was last told.
  private(set) var told = AudienceSize()

  var size: AudienceSize { AudienceSize(count: devices.count, slow: slow.count) }

  mutating func insert(_ device: DeviceID) { devices.insert(device) }

  mutating func remove(_ device: DeviceID) {
    devices.remove(device)
    slow.remove(device)
  }

  /// Notes how far a spectator's player is from the group's position.
  mutating func note(_ offset: Duration, of device: DeviceID, _ limits: Limits) {
    guard devices.contains(device) else { return }
    if offset.magnitude < limits.spectatorTolerance {
      slow.remove(device)
    } else {
      slow.insert(device)
    }
  }

  /// The size, if it is another than everybody was last told.
  mutating func takeNews() -> AudienceSize? {
    guard size != told else { return nil }
    told = size
    return size
  }
}

/// The visitors whose connections were lost, until their grace ends.
///
/// A member's grace is in its group's events; of a visitor there are none.
struct AbsentVisitors: Sendable {
  private var until: [DeviceID: Instant] = [:]
  /// Every absence in the order of its end, those among them that ended early.
  private var order: Deque<(end: Instant, device: DeviceID)> = []

  var nextEnd: Instant? { order.first?.end }

  /// - Parameter end: not earlier than that of any other absence.
  mutating func add(_ device: DeviceID, until end: Instant) {
    until[device] = end
    order.append((end, device))
  }

  mutating func remove(_ device: DeviceID) { until[device] = nil }

  /// Removes and returns the visitors whose grace is over.
  mutating func popOverdue(at now: Instant) -> [DeviceID] {
    var overdue: [DeviceID] = []
    while let (end, device) = order.first, end <= now {
      order.removeFirst()
      guard until[device] == end else { continue }
      until[device] = nil
      overdue.append(device)
    }
    return overdue
  }
}
