import UserNotifications
import Vocabulary

/// The people's notifications, and which of their devices are expected.
struct Trays: Sendable {
  /// The person a registered device belongs to, and whether it is connected.
  private struct Expectation {
    let user: UserID
    var isConnected: Bool
  }

  private(set) var rooms = PagedTable<UserID, TrayRoom>()
  private(set) var index = TrayIndex()
  /// Registered devices that are connected, or within their grace period.
  private var expected: [DeviceID: Expectation] = [:]
  /// Candidates for eviction when a new person needs room.
  private var absentees = Absentees()

  subscript(id: UserID) -> TrayRoom? {
    _read { yield rooms[id] }
  }

  mutating func reserve(_ count: Int) { rooms.reserve(count) }

  /// Creates an empty tray.
  mutating func add(_ id: UserID) { rooms[id] = TrayRoom(NotificationTray(id)) }

  /// Removes an empty tray.
  mutating func remove(_ id: UserID) { rooms[id] = nil }

  /// Changes a lane in place, but not its tray; `nil` if there is none.
  mutating func change<Result>(
    _ id: UserID, _ body: (inout Lane<TrayAggregate>) -> Result
  ) -> Result? {
    rooms.change(id) { $0?.lane.change(body) }
  }

  /// Changes a tray, and updates the index.
  ///
  /// - Returns: the tray before and after the change; `nil` if there is none.
  mutating func update(
    _ id: UserID, _ body: (inout Lane<TrayAggregate>) -> Void
  ) -> (old: NotificationTray, new: NotificationTray)? {
    guard let old = rooms[id]?.tray else { return nil }
    change(id, body)
    guard let new = rooms[id]?.tray else { return nil }
    index.update(id, from: old, to: new)
    for installation in old.installations where index.owners[installation.device] == nil {
      expected[installation.device] = nil
    }
    return (old, new)
  }

  /// Returns the person who has not been seen for longest; `nil` if everybody was seen lately.
  mutating func popAbsentee(at now: Instant, _ limits: Limits) -> UserID? {
    absentees.popFirst(of: rooms.keys, at: now, awayBefore: now - limits.userAbsence) {
      [rooms, expected] user in
      guard let room = rooms[user],
        !room.tray.installations.contains(where: { expected[$0.device]?.user == user })
      else { return nil }
      return room.lastSeen
    }
  }

  // MARK: Expected devices

  /// Notes that a device which registers is the person's, and connected.
  mutating func expect(_ device: DeviceID, of user: UserID) {
    expected[device] = Expectation(user: user, isConnected: true)
  }

  /// Notes that a device is the person's; it is connected, or within its grace period.
  ///
  /// - Returns: the person whose notifications it gets; `nil` if it is not registered.
  mutating func note(_ device: DeviceID, of user: UserID, isConnected: Bool) -> UserID? {
    let owner = index.owners[device]
    if owner == user {
      expected[device] = Expectation(user: user, isConnected: isConnected)
    } else if !expects(device, of: user) {
      expected[device] = nil
    }
    return owner
  }

  /// Notes that a device disconnected, or belongs to another person now.
  mutating func disconnect(_ device: DeviceID, of user: UserID) {
    if expects(device, of: user) { expected[device]?.isConnected = false }
  }

  /// Notes that a device is not expected back.
  mutating func forget(_ device: DeviceID, of user: UserID) {
    if expects(device, of: user) { expected[device] = nil }
  }

  func expects(_ device: DeviceID, of user: UserID) -> Bool { expected[device]?.user == user }

  func isConnected(_ device: DeviceID) -> Bool { expected[device]?.isConnected == true }
}

/// A person's notifications with their lane.
struct TrayRoom: Sendable {
  fileprivate(set) var lane: Lane<TrayAggregate>

  fileprivate init(_ tray: NotificationTray) {
    lane = Lane(TrayAggregate(tray))
  }

  var tray: NotificationTray {
    _read { yield lane.state.tray }
  }

  /// Whether there is nothing to remember about the person.
  var isForgettable: Bool { tray.seq == 0 && !lane.isAtWork && !lane.isPaused }

  /// When the person was last seen; `nil` while commands are pending.
  ///
  /// Apps register when they start.
  var lastSeen: Instant? {
    guard !lane.isAtWork, !lane.isPaused else { return nil }
    let known =
      tray.installations.map(\.registered).max() ?? tray.entries.map(\.notification.date).max()
    return known ?? Instant(microseconds: .min)
  }
}
