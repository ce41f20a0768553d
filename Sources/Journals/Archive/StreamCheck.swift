import Coordination
import Vocabulary

/// Looks at one stream's records, in order: its snapshot, then its events.
struct StreamCheck {
  private let label: String
  private let aggregate: AggregateID
  private let isOver: Bool
  private var snapshot: AggregateState?
  /// The number of the event looked at last.
  private var last: Int?
  private var latest: Instant?
  /// `nil` while there is nothing to begin with.
  private var replay: StreamReplay?

  init(_ label: String, _ aggregate: AggregateID, isOver: Bool) {
    self.label = label
    self.aggregate = aggregate
    self.isOver = isOver
  }

  mutating func take(
    snapshot stored: JournalRow.Record, _ reader: inout RecordReader,
    _ result: inout JournalVerification
  ) throws {
    result.snapshots += 1
    if isOver { result.complain("\(label) is over, and has a snapshot still") }
    do {
      snapshot = try reader.state(stored.body, of: aggregate.kind, format: stored.format)
    } catch {
      throw UnreadableRecord("its snapshot cannot be read: \(error)")
    }
    if snapshot?.aggregate != aggregate {
      result.complain("\(label) has another's snapshot")
    } else if snapshot.map({ Int64($0.seq) }) != stored.seq {
      result.complain("\(label) has a snapshot under another number than its own, \(stored.seq)")
    }
  }

  mutating func take(
    _ stored: JournalRow.Record, _ reader: inout RecordReader, _ result: inout JournalVerification
  ) throws {
    result.events += 1
    guard stored.seq > 0 else { throw UnreadableRecord("there is no event \(stored.seq)") }
    checkPlace(of: stored, &result)
    last = Int(stored.seq)
    latest = stored.instant
    do {
      let event = try reader.event(stored.body, of: aggregate.kind, format: stored.format)
      guard replay != nil else { return }
      try replay?.take(event, of: aggregate, at: stored.instant)
      result.replayed += 1
    } catch {
      throw UnreadableRecord("event \(stored.seq) cannot be read: \(error)")
    }
    if let snapshot, snapshot.seq == last, let state = replay?.state {
      result.comparedSnapshots += 1
      if state != snapshot {
        result.complain("\(label): its snapshot at \(stored.seq) is not what its events add up to")
      }
    }
  }

  /// Whether an event stands behind the one before it, and the first where a stream may begin.
  private mutating func checkPlace(
    of stored: JournalRow.Record, _ result: inout JournalVerification
  ) {
    let seq = Int(stored.seq)
    if let last {
      if seq != last + 1 {
        result.complain("\(label): \(gap(last + 1, seq - 1))")
        replay = nil
      }
    } else if seq == 1 {
      replay = StreamReplay()
    } else {
      result.shortened += 1
      let isKept = snapshot.map { $0.seq >= seq - 1 } ?? (isOver && !isDevice)
      if !isKept { result.complain("\(label): \(gap((snapshot?.seq ?? 0) + 1, seq - 1))") }
    }
    if let snapshot, replay == nil, seq == snapshot.seq + 1 {
      replay = StreamReplay(from: snapshot)
    }
    if let latest, stored.instant < latest {
      result.complain("\(label): event \(seq) happened before the one before it")
    }
  }

  func finish(_ result: inout JournalVerification) {
    switch (last, snapshot) {
    case (nil, nil):
      // One that is over, and whose events were all in a snapshot, may be empty.
      if !isOver { result.complain("\(label) has neither events nor a snapshot") }
    case (nil, .some): result.shortened += 1
    case (let last?, let snapshot?) where last < snapshot.seq:
      result.complain("\(label): \(gap(last + 1, snapshot.seq))")
    default: break
    }
  }

  private var isDevice: Bool { aggregate.kind == .device }

  private func gap(_ first: Int, _ last: Int) -> String {
    first >= last ? "event \(first) is missing" : "events \(first) to \(last) are missing"
  }
}
