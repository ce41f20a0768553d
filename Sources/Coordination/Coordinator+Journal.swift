import GroupSessions
import Vocabulary
import Wire

// What is kept: appends go out, and what became of them comes back.

extension Coordinator {
  /// Takes in what became of an append.
  mutating func take(_ append: Append, _ outcome: AppendOutcome) {
    switch append.aggregate {
    case .group(let id): groupAppended(id, append, outcome)
    case .session(let id): sessionAppended(id, append, outcome)
    case .device(let id): deviceAppended(id, append, outcome)
    case .user(let id): userAppended(id, append, outcome)
    case .tray(let id): trayAppended(id, append, outcome)
    }
  }

  /// Has events kept behind the last one of their aggregate, together with an answer.
  mutating func append(
    _ events: [AggregateEvent], to aggregate: AggregateID, after seq: Int, answer: RecordedAnswer?
  ) {
    if let answer { keepGreeting(of: answer.device) }
    let records = events.map { RecordedEvent(at: now, event: $0) }
    outputs.append(.append(Append(to: aggregate, after: seq, records, answer: answer)))
  }

  /// What a request comes to, as it is kept; `nil` if nobody asks any more.
  func record(_ outcome: RequestOutcome, for reply: Reply) -> RecordedAnswer? {
    guard isAsking(reply), let number = devices[reply.device]?.answers.number(of: reply.id) else {
      return nil
    }
    return RecordedAnswer(
      device: reply.device, request: reply.id, outcome, number: number, life: reply.life)
  }

  /// What a request is answered, as it is kept.
  func record(_ answer: Answer?, for reply: Reply?) -> RecordedAnswer? {
    guard let answer, let reply else { return nil }
    return record(.answered(answer), for: reply)
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
    guard case .failed = outcome else {
      if let answer = append.answer { tell(answer) }
      return
    }
    if let answer = append.answer {
      giveUp(answer)
    } else {
      devices[id]?.isKept = false
    }
  }
}
