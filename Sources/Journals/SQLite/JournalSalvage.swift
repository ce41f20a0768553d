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
