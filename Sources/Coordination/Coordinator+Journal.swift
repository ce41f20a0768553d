import GroupSessions
import Vocabulary
import Wire

// What is kept: appends go out, and what became of them comes back.

extension Coordinator {
  /// Takes in what became of an append.
  mutating func take(_ append: Append, _ outcome: AppendOutcome) {
    switch append.aggregate {
    case .group(let id): appended(append, outcome, on: id, GroupLanes.self)
    case .session(let id): appended(append, outcome, on: id, SessionLanes.self)
    case .device(let id): deviceAppended(id, append, outcome)
    case .user(let id): appended(append, outcome, on: id, UserLanes.self)
    case .tray(let id): appended(append, outcome, on: id, TrayLanes.self)
    }
  }

  /// Has steps kept, behind the hellos of those whom they answer.
  mutating func append(_ append: Append) {
    for step in append.steps {
      if let answer = step.answer { keepGreeting(of: answer.device) }
    }
    outputs.append(.append(append))
  }

  /// Has a snapshot kept every so many events, so that a start reads few.
  func isSnapshotDue(from old: Int, to new: Int) -> Bool {
    old / limits.snapshotInterval != new / limits.snapshotInterval
  }
}

// MARK: Devices

extension Coordinator {
  /// Has a device's hello kept, if it is not: before the first thing that it may resume for.
  mutating func keepGreeting(of id: DeviceID) {
    guard let device = devices[id], !device.isKept else { return }
    devices[id]?.isKept = true
    let record = RecordedEvent(at: now, event: .device(.greeted(device.greeting)))
    outputs.append(.append(Append(to: .device(id), after: 0, [record])))
  }

  /// A device is gone for good; so is what was kept of it.
  mutating func forget(_ id: DeviceID) {
    guard let device = devices[id] else { return }
    devices[id] = nil
    if device.isKept { outputs.append(.forget(.device(id))) }
  }

  /// An answer that nothing else was kept with is kept, or a hello is.
  private mutating func deviceAppended(_ id: DeviceID, _ append: Append, _ outcome: AppendOutcome) {
    let answer = append.steps.first?.answer
    guard case .failed = outcome else {
      if let answer { tell(answer) }
      return
    }
    if let answer {
      giveUp(answer)
    } else {
      devices[id]?.isKept = false
    }
  }
}
