import InAppMessaging
import Vocabulary

/// The people who use messages: their state, and why campaigns were not shown to them.
struct Users: Sendable {
  private(set) var rooms = PagedTable<UserID, UserRoom>()
  /// How many times a person's data was erased.
  private(set) var erasures: UInt64 = 0
  private var pastTraces = PastTraces()
  /// Candidates for eviction when a new person needs room.
  private var absentees = Absentees()

  subscript(id: UserID) -> UserRoom? {
    _read { yield rooms[id] }
  }

  mutating func reserve(_ count: Int) { rooms.reserve(count) }

  mutating func add(_ messaging: UserMessaging) { rooms[messaging.id] = UserRoom(messaging) }

  mutating func remove(_ id: UserID) { rooms[id] = nil }

  /// Changes a person's lane in place; `nil` if the person is not known.
  mutating func change<Result>(
    _ id: UserID, _ body: (inout Lane<UserAggregate>) -> Result
  ) -> Result? {
    rooms.change(id) { $0?.lane.change(body) }
  }

  /// Returns the person who has been away longest; `nil` if nobody has been away for long enough.
  mutating func popAbsentee(at now: Instant, _ limits: Limits) -> UserID? {
    // A copy of the rooms is read while the candidates change.
    absentees.popFirst(of: rooms.keys, at: now, awayBefore: now - limits.userAbsence) {
      [rooms] in rooms[$0]?.awaySince
    }
  }

  /// Erases a person's data, but not the presence of their devices.
  ///
  /// The numbers of counted events are erased too, so an event that a client repeats after the wipe
  /// is counted again.
  ///
  /// - Returns: whether the person is known.
  mutating func erase(_ id: UserID, isOurs: Bool) -> Bool {
    guard let old = rooms[id]?.lane.state else { return false }
    erasures &+= 1
    rooms[id]?.lane.replace(UserAggregate(erasing: old, isOurs: isOurs))
    rooms[id]?.trace = EvaluationTrace()
    pastTraces.remove(id)
    return true
  }

  // MARK: Presence

  /// Records a device's presence; what was evaluated before the person left counts again.
  mutating func note(_ presence: DevicePresence, epoch: UInt64, of id: UserID) {
    if pastTraces[id] != nil {
      let trace = trace(of: id)
      rooms[id]?.trace = trace
      pastTraces.remove(id)
    }
    rooms[id]?.note(presence, epoch: epoch)
  }

  /// Marks a device as active; of several visible devices, the last active one gets the messages.
  mutating func touch(_ device: DeviceID, of id: UserID, at now: Instant) {
    guard let index = rooms[id]?.devices.firstIndex(where: { $0.device == device }) else { return }
    rooms[id]?.devices[index].lastActive = now
  }

  /// Removes a device's presence.
  ///
  /// - Returns: how the device was last; `nil` if it was not connected.
  mutating func removePresence(of device: DeviceID, of id: UserID) -> DevicePresence? {
    let trace = trace(of: id)
    guard let presence = rooms[id]?.removePresence(of: device) else { return nil }
    if rooms[id]?.devices.isEmpty == true { pastTraces.add(trace, of: id) }
    return presence
  }

  // MARK: Evaluations

  mutating func note(_ evaluations: [Evaluation], of id: UserID) {
    rooms[id]?.trace.note(evaluations)
  }

  /// The person's latest evaluations, including those from before they left.
  func trace(of id: UserID) -> EvaluationTrace {
    guard var trace = pastTraces[id] else { return rooms[id]?.trace ?? EvaluationTrace() }
    trace.note(rooms[id]?.trace.rows ?? [])
    return trace
  }
}

/// A person's messages with their lane, and the person's connected devices.
struct UserRoom: Sendable {
  fileprivate(set) var lane: Lane<UserAggregate>
  /// The connected devices that reported their app's state; only they receive messages.
  fileprivate(set) var devices: [DevicePresence] = []
  /// The epoch of each of them: the current run of its client.
  fileprivate(set) var epochs: SortedMap<DeviceID, UInt64> = [:]
  /// The evaluations since a device connected, for explanations.
  fileprivate var trace = EvaluationTrace()

  fileprivate init(_ messaging: UserMessaging) {
    lane = Lane(UserAggregate(messaging))
  }

  var messaging: UserMessaging {
    _read { yield lane.state.messaging }
  }

  /// Records a device's presence.
  fileprivate mutating func note(_ presence: DevicePresence, epoch: UInt64) {
    if let index = devices.firstIndex(where: { $0.device == presence.device }) {
      devices[index] = presence
    } else {
      devices.makeRoom()
      devices.append(presence)
    }
    epochs[presence.device] = epoch
  }

  fileprivate mutating func removePresence(of device: DeviceID) -> DevicePresence? {
    guard let index = devices.firstIndex(where: { $0.device == device }) else { return nil }
    let presence = devices.remove(at: index)
    epochs[device] = nil
    if devices.isEmpty { leave() }
    return presence
  }

  /// Frees what is needed only while the person is connected, about a third of their memory.
  private mutating func leave() {
    devices = []
    epochs = [:]
    trace = EvaluationTrace()
  }

  /// Whether there is nothing to remember about the person.
  var isForgettable: Bool {
    messaging.seq == 0 && devices.isEmpty && isIdle && lane.state.choices.isEmpty
  }

  /// Since when the person has been away.
  ///
  /// `nil` if commands or deliveries are pending, or if the person turned collection or messages
  /// off, because these choices have to survive.
  var awaySince: Instant? {
    guard devices.isEmpty, isIdle, lane.state.choices.isEmpty, messaging.deliveries.isEmpty,
      messaging.collects, !messaging.isPaused
    else { return nil }
    return messaging.lastActive ?? Instant(microseconds: .min)
  }

  private var isIdle: Bool { !lane.isAtWork && !lane.isPaused }
}
