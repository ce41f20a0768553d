import DequeModule
import GroupSessions
import Playback
import Vocabulary

/// The people who watch without a named place: spectators of sessions, and visitors, who are in a group
/// only to watch.
struct Onlookers: Sendable {
  private var spectators: [SessionID: Spectators] = [:]
  private var visitors: [GroupID: Set<DeviceID>] = [:]
  private var absentVisitors = AbsentVisitors()

  /// Whether nobody watches, and nothing is known of any audience.
  var isEmpty: Bool { spectators.isEmpty && visitors.isEmpty }

  // MARK: Spectators

  /// The connected spectators of all sessions.
  var spectatorCount: Int { spectators.values.reduce(0) { $0 + $1.devices.count } }

  /// The connected spectators of a session.
  func spectators(of id: SessionID) -> [DeviceID] { spectators[id]?.devices.sorted() ?? [] }

  /// How many spectators a session has now; `nil` if it never had any.
  func size(of id: SessionID) -> AudienceSize? { spectators[id]?.size }

  /// What everybody in a session was last told of its audience.
  func toldSize(of id: SessionID) -> AudienceSize { spectators[id]?.told ?? AudienceSize() }

  /// Whether everybody has still to be told how large a session's audience is.
  func hasNews(of id: SessionID) -> Bool { spectators[id].map { $0.size != $0.told } ?? false }

  /// The size of a session's audience if it differs from what everybody was last told; it counts as
  /// told.
  mutating func takeNews(of id: SessionID) -> AudienceSize? { spectators[id]?.takeNews() }

  mutating func insert(_ device: DeviceID, in id: SessionID) {
    spectators[id, default: Spectators()].insert(device)
  }

  mutating func remove(_ device: DeviceID, from id: SessionID) { spectators[id]?.remove(device) }

  /// Notes how far a spectator's player is from the group's position.
  mutating func note(_ offset: Duration, of device: DeviceID, in id: SessionID, _ limits: Limits) {
    spectators[id]?.note(offset, of: device, limits)
  }

  /// Forgets the audience of a session that is over.
  mutating func forget(_ id: SessionID) { spectators[id] = nil }

  // MARK: Visitors

  func visitors(of id: GroupID) -> [DeviceID] { visitors[id]?.sorted() ?? [] }

  func visitorCount(of id: GroupID) -> Int { visitors[id]?.count ?? 0 }

  mutating func insert(_ device: DeviceID, in id: GroupID) {
    visitors[id, default: []].insert(device)
  }

  mutating func remove(_ device: DeviceID, from id: GroupID) {
    absentVisitors.remove(device)
    visitors[id]?.remove(device)
    if visitors[id]?.isEmpty == true { visitors[id] = nil }
  }

  /// Forgets the visitors of a group that is closed.
  mutating func forget(_ id: GroupID) { visitors[id] = nil }

  /// When the grace of the next absent visitor ends.
  var nextEnd: Instant? { absentVisitors.nextEnd }

  /// Notes that a visitor's connection was lost.
  ///
  /// - Parameters:
  ///   - device: the visitor's device.
  ///   - end: when its grace ends, not earlier than that of any other absence.
  mutating func lose(_ device: DeviceID, until end: Instant) {
    absentVisitors.add(device, until: end)
  }

  /// Notes that a visitor is back.
  mutating func welcomeBack(_ device: DeviceID) { absentVisitors.remove(device) }

  /// Removes and returns the visitors whose grace is over.
  mutating func popOverdue(at now: Instant) -> [DeviceID] { absentVisitors.popOverdue(at: now) }
}

/// The connected spectators of one session, and those of them whose players are slow.
private struct Spectators: Sendable {
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
private struct AbsentVisitors: Sendable {
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
