import DequeModule
import Vocabulary

/// The devices that were away when their group closed, until their grace is over.
///
/// They are in no group any more, so the front forgets them; but whoever comes back is told why,
/// and does not open the group anew. A restart of the server forgets them.
struct Farewells: Sendable {
  private var tokens: [DeviceID: (token: Secret, end: Instant)] = [:]
  /// The latest farewells, the first to end first, including those of devices that had another since.
  private var ends: Deque<(end: Instant, device: DeviceID)> = []

  /// Notes a device whose group closed.
  ///
  /// - Parameters:
  ///   - device: the device, which is away.
  ///   - end: when its grace ends, not earlier than that of any other.
  ///   - now: the time; what ended before is dropped.
  ///   - limit: how many there may be.
  mutating func add(_ device: Device, until end: Instant, at now: Instant, limit: Int) {
    tokens[device.id] = (device.token, end)
    ends.append((end, device.id))
    while let first = ends.first, first.end <= now || ends.count > limit {
      ends.removeFirst()
      if tokens[first.device]?.end == first.end { tokens[first.device] = nil }
    }
  }

  /// Whether the device with this token was away when its group closed.
  func has(_ device: DeviceID, token: String, at now: Instant) -> Bool {
    tokens[device].map { $0.end > now && $0.token.matches(token) } ?? false
  }
}
