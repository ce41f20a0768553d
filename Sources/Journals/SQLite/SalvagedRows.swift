import GRDB

/// The rows of one stream, as far as they can be read.
struct SalvagedRows {
  private var snapshot: JournalRow.Record?
  /// Events that the snapshot holds already; some may be missing.
  private var history: [JournalRow.Record] = []
  /// The events behind the snapshot, or from the first one on, without a gap.
  private var tail: [JournalRow.Record] = []
  /// Of a device.
  private var answers: [JournalRow.Answer] = []
  /// Whether all of it can be read, but for history.
  private(set) var isWhole: Bool
  /// Whether it can be gone on from where it once was.
  private(set) var isGoingOn: Bool

  /// The number of the last event that it goes on from.
  var last: Int64 { tail.last?.seq ?? snapshot?.seq ?? 0 }

  /// - Parameter late: devices come after all others, with whose events are answers of theirs.
  init(of stream: JournalRow.Stream, in old: DamagedRows, _ late: inout SalvagedAnswers) {
    let id = stream.id
    let snapshots = old.values(JournalSQL.snapshot, [id]) { try JournalRow.Record($0, of: id) }
    snapshot = snapshots.values.first
    let start = snapshot?.seq ?? 0
    // An event goes with its answer: kept without, its request might be carried out twice.
    let events = old.values(JournalSQL.eventsWithAnswers, [id, start]) { row in
      _ = try JournalRow.Answer(ofEvent: row, from: 5)
      return try JournalRow.Record(row, of: id)
    }
    for event in events.values where event.seq == start + Int64(tail.count) + 1 {
      tail.append(event)
    }
    if start > 0 {
      history = old.values(JournalSQL.events, [id, 0]) { try JournalRow.Record($0, of: id) }.values
        .filter { $0.seq <= start }
    }
    let hasBeginning = snapshot != nil || tail.first?.seq == 1
    isWhole = hasBeginning && events.areAll && tail.count == events.values.count
    isGoingOn = hasBeginning
    if stream.isOfDevice {
      let found = late.answers(of: id, in: old)
      answers = found.values
      isWhole = isWhole && found.areAll
      isGoingOn = isWhole
    } else if stream.ended == nil {
      for answer in old.answers(ofEventsOf: id, after: start) { late.unfiled.add(answer) }
    }
  }

  /// Puts them into a new file, under the same id: their sums stay what they are.
  func insert(_ stream: JournalRow.Stream, into new: Database) throws {
    try new.insert(stream.id, stream.kind, stream.name, began: stream.began)
    for event in history + tail {
      try new.insertEvent(
        event.seq, of: stream.id, at: event.at, format: event.format, event.body)
    }
    if let snapshot {
      try new.replaceSnapshot(
        snapshot.seq, of: stream.id, at: snapshot.at, format: snapshot.format, snapshot.body)
    }
    for answer in answers { try new.replaceAnswer(answer) }
  }
}
