import GRDB

/// Copies what can still be read of a damaged file, stream by stream, row by row: each row's sum
/// shows whether it is as it was written.
///
/// A group, session or person goes on from the last event before the first one that cannot be read. That
/// is certainly where it once was: events are numbered, and begin at the first or at a snapshot.
/// Where there is no such beginning, or of a device anything is missing (a request of it might be
/// carried out twice), the stream is left in the damaged file only.
struct JournalSalvage {
  /// How many answers a device has, once it has asked as often.
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

  /// More would be read by nobody.
  private static let detailsMaximum = 50

  /// What became of it all.
  var summary: String {
    "\(whole) live streams as they were, \(cut) as they were some events before, \(lost) not at all; "
      + "\(history) of \(history + lostHistory) that are over"
  }

  private mutating func tell(_ detail: String) {
    if details.count < Self.detailsMaximum { details.append(detail) }
  }
}

extension JournalSalvage {
  /// Copies what can be read.
  ///
  /// - Throws: what writing throws; what cannot be read is left out.
  mutating func copy(from old: DamagedRows, to new: Database) throws {
    var streams: [JournalRow.Stream] = []
    let ids = old.streams()
    for id in ids {
      if let stream = old.stream(id) {
        streams.append(stream)
      } else {
        lost += 1
        tell("stream \(id), of which not even the name can be read, is left in the damaged file")
      }
    }
    var answers = SalvagedAnswers(in: old, ring: ring)
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
      return tell(
        "the \(stream.kind) \(stream.name) cannot be gone on from and is left in the damaged file")
    }
    try rows.insert(stream, into: new)
    guard !rows.isWhole else { return whole += 1 }
    cut += 1
    tell(
      "the \(stream.kind) \(stream.name) goes on from its event \(rows.last): what came then "
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

/// The answers of devices, as far as they can be read, and whether any may be missing.
///
/// Of those in events none is ever missing that matters: it went with its event, and the request may
/// be carried out again.
struct SalvagedAnswers {
  /// How many answers a device has, once it has asked as often.
  private let ring: Int
  /// Of which tables no answer is missing unseen.
  ///
  /// Without recent ones no device's are all there, without those in rings only those of devices
  /// whose ring can be read in full: earlier answers from elsewhere would fill the place of a later
  /// one that is missing.
  private let areSound: (inRings: Bool, recent: Bool)
  /// The recent ones, and those in events that were looked at.
  var unfiled = UnfiledAnswers()

  init(in old: DamagedRows, ring: Int) {
    self.ring = ring
    let recent = old.answers(in: "recent", JournalSQL.recentAnswers)
    areSound = (old.answers(in: "answer", JournalSQL.allAnswers).areSound, recent.areSound)
    for answer in recent.values { unfiled.add(answer) }
  }

  /// A device's answers, and whether they are all that it had.
  func answers(
    of device: Int64, in old: DamagedRows
  ) -> (values: [JournalRow.Answer], areAll: Bool) {
    let filed = old.filedAnswers(of: device)
    let answers = unfiled.filed(into: filed.values, of: device)
    let areAll =
      filed.areAll && isWhole(answers) && areSound.recent
      && (areSound.inRings || filed.values.count >= ring)
    return (answers, areAll)
  }

  /// Answers are numbered, and a full ring has no gap.
  private func isWhole(_ answers: [JournalRow.Answer]) -> Bool {
    guard let newest = answers.last?.number else { return true }
    let oldest = max(1, newest - Int64(ring) + 1)
    return answers.map(\.number).suffix(ring).elementsEqual(oldest...newest)
  }
}

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

/// The answers that are not in the rings of their devices yet, by the streams of the devices.
///
/// All lie in one array, those of a device as a chain: a start with hundreds of thousands of them
/// makes no array for each device.
struct UnfiledAnswers: Sendable {
  private var links: [Link] = []
  /// Where the last answer of each device lies.
  private var last: [Int64: Int] = [:]

  private struct Link: Sendable {
    let answer: JournalRow.Answer
    /// Where the one before it of the same device lies.
    let previous: Int?
  }

  /// Those of a device, in no order.
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

  /// Adds what a statement selects, whose first columns are an answer's.
  ///
  /// - Throws: ``Damage`` at a row that has changed.
  mutating func add(
    _ sql: String, _ arguments: StatementArguments = [], from database: Database
  ) throws {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { add(try JournalRow.Answer(row)) }
  }

  /// A device's answers as they will be in its ring, by their numbers.
  func filed(into ring: [JournalRow.Answer], of device: Int64) -> [JournalRow.Answer] {
    let late = self[device]
    guard !late.isEmpty else { return ring }
    let places = Dictionary((ring + late).map { ($0.slot, $0) }) { $0.number < $1.number ? $1 : $0 }
    return places.values.sorted { ($0.number, $0.slot) < ($1.number, $1.slot) }
  }
}
