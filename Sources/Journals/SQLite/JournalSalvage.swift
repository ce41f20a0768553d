import GRDB

/// Copies what is readable of a damaged file, stream by stream and row by row.
///
/// Each row's sum shows whether the row is as it was written.
///
/// A group, session, person or tray continues from the last event before the first unreadable one.
/// That was once its state, because events are numbered from 1 or from a snapshot. A stream stays
/// in the damaged file only if it has no such beginning, or if it is a device's and lacks anything,
/// because a request of that device might be carried out twice.
struct JournalSalvage {
  /// How many answers a device's full ring holds.
  private let ring: Int
  private var whole = 0
  private var cut = 0
  private var lost = 0
  private var history = 0
  private var lostHistory = 0
  private var live: Set<[String]> = []
  private(set) var details: [String] = []

  init(ring: Int) {
    self.ring = ring
  }

  /// Nobody would read more.
  private static let detailsMaximum = 50

  /// The overall result, for people.
  var summary: String {
    "\(whole) live streams complete, \(cut) continued from an earlier event, \(lost) lost; "
      + "\(history) of \(history + lostHistory) ended streams"
  }

  private mutating func report(_ detail: String) {
    if details.count < Self.detailsMaximum { details.append(detail) }
  }
}

extension JournalSalvage {
  /// Copies what is readable.
  ///
  /// - Throws: errors of writing; unreadable rows are left out.
  mutating func copy(from old: DamagedRows, to new: Database) throws {
    var streams: [JournalRow.Stream] = []
    let ids = old.streams()
    for id in ids {
      if let stream = old.stream(id) {
        streams.append(stream)
      } else {
        lost += 1
        report("stream \(id) is left in the damaged file: not even its name can be read")
      }
    }
    var answers = SalvagedAnswers(in: old, ring: ring)
    if streams.count < ids.count { answers.lackEvents = true }
    for stream in streams where !stream.isOfDevice { try copy(stream, old, &answers, to: new) }
    for stream in streams where stream.isOfDevice { try copy(stream, old, &answers, to: new) }
    if let clock = old.clock() {
      try new.setClock(clock.boot, host: clock.host, instant: clock.instant)
    }
    try new.setTally(live.count, last: ids.last ?? 0)
  }

  private mutating func copy(
    _ stream: JournalRow.Stream, _ old: DamagedRows, _ answers: inout SalvagedAnswers,
    to new: Database
  ) throws {
    let rows = SalvagedRows(of: stream, in: old, &answers)
    if let ended = stream.ended {
      try copy(stream, rows, endedAt: ended, to: new)
    } else {
      try copy(stream, rows, to: new)
    }
  }

  private mutating func copy(
    _ stream: JournalRow.Stream, _ rows: SalvagedRows, to new: Database
  ) throws {
    guard rows.isGoingOn, live.insert([stream.kind, stream.name]).inserted else {
      lost += 1
      return report(
        "the \(stream.kind) \(stream.name) has no readable state to continue from and is left in "
          + "the damaged file")
    }
    try rows.insert(stream, into: new)
    guard !rows.isWhole else { return whole += 1 }
    cut += 1
    report(
      "the \(stream.kind) \(stream.name) continues from its event \(rows.last): the next ones "
        + "cannot be read")
  }

  private mutating func copy(
    _ stream: JournalRow.Stream, _ rows: SalvagedRows, endedAt ended: Int64, to new: Database
  ) throws {
    guard rows.isWhole else { return lostHistory += 1 }
    try rows.insert(stream, into: new)
    try new.end(stream.id, stream.kind, stream.name, began: stream.began, at: ended)
    history += 1
  }
}

/// The readable answers of devices, and whether any may be missing.
///
/// An answer in an event that was lost does not count as missing, because the request may be
/// carried out again.
struct SalvagedAnswers {
  /// How many answers a device's full ring holds.
  private let ring: Int
  /// Which tables certainly lack no answer.
  ///
  /// If `recent` is damaged, no device's answers are complete. If `answer` is damaged, only devices
  /// with a full readable ring are complete: otherwise an earlier answer from another place could
  /// fill the slot of a later one that is missing.
  private let areSound: (inRings: Bool, recent: Bool)
  /// Whether an event, and with it an answer, may be missing.
  var lackEvents: Bool
  /// The recent answers, and those in the events read so far.
  var unfiled = UnfiledAnswers()

  init(in old: DamagedRows, ring: Int) {
    self.ring = ring
    let recent = old.answers(in: JournalSQL.recentAnswers)
    let rings = old.answers(in: JournalSQL.allAnswers)
    let isComplete = !old.hasStrayPages
    areSound = (
      inRings: rings.areAll && old.isSound("answer", orderedBy: "slot") && isComplete,
      recent: recent.areAll && old.isSound("recent") && isComplete
    )
    lackEvents = !old.isSound("event", orderedBy: "seq")
    for answer in recent.values { unfiled.add(answer) }
  }

  /// A device's answers, and whether they are complete.
  func answers(
    of device: Int64, in old: DamagedRows
  ) -> (values: [JournalRow.Answer], areAll: Bool) {
    let filed = old.filedAnswers(of: device)
    let answers = unfiled.filed(into: filed.values, of: device)
    let areAll =
      filed.areAll && areSound.recent && (areSound.inRings || filed.values.count >= ring)
      && (mayHaveGaps || isWhole(answers))
    return (answers, areAll)
  }

  /// Whether a gap in a device's numbers is no missing answer.
  ///
  /// A request takes a number when it begins, and some answers are not kept: temporary refusals,
  /// answers to spectators, and answers to people who have not proved who they are yet.
  private var mayHaveGaps: Bool { areSound.inRings && !lackEvents }

  /// Whether the numbers have no gap.
  private func isWhole(_ answers: [JournalRow.Answer]) -> Bool {
    guard let newest = answers.last?.number else { return true }
    let oldest = max(1, newest - Int64(ring) + 1)
    return answers.map(\.number).suffix(ring).elementsEqual(oldest...newest)
  }
}

/// The readable rows of one stream.
struct SalvagedRows {
  private var snapshot: JournalRow.Record?
  /// Events that the snapshot includes; some may be missing.
  private var history: [JournalRow.Record] = []
  /// The events after the snapshot, or from the first one on, without a gap.
  private var tail: [JournalRow.Record] = []
  /// The answers, if the stream is a device's.
  private var answers: [JournalRow.Answer] = []
  /// Whether everything but history is readable.
  private(set) var isWhole: Bool
  /// Whether the stream can continue from an earlier state.
  private(set) var isGoingOn: Bool

  /// The number of the event from which it continues.
  var last: Int64 { tail.last?.seq ?? snapshot?.seq ?? 0 }

  /// - Parameter late: the answers of devices. Devices are read last, because the events of other
  ///   streams hold answers for them.
  init(of stream: JournalRow.Stream, in old: DamagedRows, _ late: inout SalvagedAnswers) {
    let id = stream.id
    let snapshots = old.values(JournalSQL.snapshot, [id]) { try JournalRow.Record($0, of: id) }
    snapshot = snapshots.values.first
    let start = snapshot?.seq ?? 0
    // An event without its answer is not kept, because the request might be carried out twice.
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
      if !isWhole { late.lackEvents = true }
      for answer in old.answers(ofEventsOf: id, after: start) { late.unfiled.add(answer) }
    }
  }

  /// Inserts the rows into a new file under the same id, so that their sums stay valid.
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

/// The answers that are not in their devices' rings yet, by the stream of the device.
///
/// All are in one array, linked per device, so that a start with hundreds of thousands of them does
/// not allocate an array for each device.
struct UnfiledAnswers: Sendable {
  private var links: [Link] = []
  /// The index of each device's last answer.
  private var last: [Int64: Int] = [:]

  private struct Link: Sendable {
    let answer: JournalRow.Answer
    /// The index of the same device's previous answer.
    let previous: Int?
  }

  /// A device's answers, in no order.
  subscript(device: Int64) -> [JournalRow.Answer] {
    var found: [JournalRow.Answer] = []
    var place = last[device]
    while let here = place {
      found.append(links[here].answer)
      place = links[here].previous
    }
    return found
  }

  mutating func add(_ answer: JournalRow.Answer) {
    let previous = last.updateValue(links.count, forKey: answer.device)
    links.append(Link(answer: answer, previous: previous))
  }

  /// Adds the answers that a statement selects.
  ///
  /// - Throws: ``Damage`` at a row that has changed.
  mutating func add(
    _ sql: String, _ arguments: StatementArguments = [], from database: Database
  ) throws {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { add(try JournalRow.Answer(row)) }
  }

  /// The content of a device's ring once these answers are in it, ordered by number.
  func filed(into ring: [JournalRow.Answer], of device: Int64) -> [JournalRow.Answer] {
    let late = self[device]
    guard !late.isEmpty else { return ring }
    let places = Dictionary((ring + late).map { ($0.slot, $0) }) { $0.number < $1.number ? $1 : $0 }
    return places.values.sorted { ($0.number, $0.slot) < ($1.number, $1.slot) }
  }
}
