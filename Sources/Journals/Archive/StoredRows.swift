import Coordination
import GRDB
import Vocabulary

extension JournalRow.Stream {
  /// The aggregate; `nil` for a stream that was set aside, whose kind is a longer text.
  var aggregate: AggregateID? { AggregateKind(rawValue: kind).map { AggregateID($0, name) } }
}

extension JournalRow.Record {
  var instant: Instant { Instant(microseconds: at) }
}

/// Queries for readers of a journal. All throw ``Damage`` at a row that has changed.
extension Database {
  func storedStreams() throws -> [JournalRow.Stream] {
    try Row.fetchAll(self, sql: ArchiveSQL.streams)
      .map { (row) throws(Damage) in try JournalRow.Stream(row) }
  }

  func storedSnapshot(of stream: Int64) throws -> JournalRow.Record? {
    let statement = try cachedStatement(sql: JournalSQL.snapshot)
    return try Row.fetchOne(statement, arguments: [stream])
      .map { (row) throws(Damage) in try JournalRow.Record(row, of: stream) }
  }

  func eachStoredEvent(of stream: Int64, _ body: (JournalRow.Record) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: ArchiveSQL.events), arguments: [stream])
    while let row = try rows.next() { try body(JournalRow.Record(row, of: stream)) }
  }

  /// Passes the kept events of a stream to `body`, with their numbers.
  ///
  /// - Throws: ``UnreadableRecord``, which names the event that is missing or cannot be read.
  func eachEvent(
    of stream: Int64, _ kind: AggregateKind, _ label: String, _ reader: inout RecordReader,
    _ body: (_ seq: Int, _ at: Instant, AggregateEvent) -> Void
  ) throws {
    var last: Int?
    try eachStoredEvent(of: stream) { stored in
      let seq = Int(stored.seq)
      if let last, seq != last + 1 {
        throw UnreadableRecord("of \(label) event \(last + 1) is missing")
      }
      last = seq
      do {
        let event = try reader.event(stored.body, of: kind, format: stored.format)
        body(seq, stored.instant, event)
      } catch let error as UnreadableRecord {
        throw UnreadableRecord("event \(seq) of \(label): \(error)")
      }
    }
  }

  func storedClock() throws -> ClockTie? {
    guard let row = try Row.fetchOne(self, sql: JournalSQL.clock) else { return nil }
    let (boot, host, instant) = try JournalRow.clock(row)
    return ClockTie(
      boot: boot, host: HostTime(microseconds: host), instant: Instant(microseconds: instant))
  }
}

/// The remembered answers of devices, whether in their rings or not yet.
struct StoredAnswers {
  private let database: Database
  private var unfiled = UnfiledAnswers()

  /// - Throws: ``Damage`` at a row that has changed.
  init(_ database: Database) throws {
    self.database = database
    try unfiled.add(JournalSQL.recentAnswers, from: database)
    try unfiled.add(ArchiveSQL.unfiledAnswers, from: database)
  }

  /// Passes a device's remembered answers to `body`, in order.
  ///
  /// - Throws: ``Damage`` at a row that has changed.
  func each(of stream: Int64, _ body: (JournalRow.Answer) throws -> Void) throws {
    let statement = try database.cachedStatement(sql: JournalSQL.filedAnswers)
    let ring = try Row.fetchCursor(statement, arguments: [stream])
      .map { (row) throws(Damage) in try JournalRow.Answer(row) }
    for answer in unfiled.filed(into: try Array(ring), of: stream) { try body(answer) }
  }
}

/// The SQL statements of readers.
enum ArchiveSQL {
  static let streams = "SELECT id, kind, name, began, ended, sum FROM stream ORDER BY id"
  static let events = """
    SELECT \(JournalSQL.eventColumns) FROM event WHERE stream = ? ORDER BY seq
    """

  static let eventCounts = """
    SELECT stream, count(*), min(seq), max(seq), max(at) FROM event GROUP BY stream
    """
  static let answerCounts = """
    SELECT stream, count(DISTINCT slot)
    FROM (
      SELECT stream, slot FROM answer UNION ALL SELECT stream, slot FROM recent
      UNION ALL SELECT device, slot FROM \(unfiledEvents)
    )
    GROUP BY stream
    """
  /// Live streams' events whose answers are in no ring yet.
  private static let unfiledEvents = """
    stream INDEXED BY alive LEFT JOIN snapshot ON snapshot.stream = stream.id
    CROSS JOIN event ON event.stream = stream.id AND event.seq > ifnull(snapshot.seq, 0)
    WHERE ended IS NULL AND device IS NOT NULL
    """
  static let unfiledAnswers = "SELECT \(JournalSQL.eventAnswerColumns) FROM \(unfiledEvents)"
  /// The answers in events, including those that are in rings by now.
  static let answersOfEvents = """
    SELECT \(JournalSQL.eventAnswerColumns) FROM event WHERE device IS NOT NULL
    """
  static let snapshots = "SELECT stream, seq FROM snapshot"
  static let formats = """
    SELECT format FROM event UNION SELECT format FROM snapshot UNION SELECT format FROM answer
    UNION SELECT format FROM recent
    """
  /// The first and the last kept event of every session.
  static let sessionEnds = """
    SELECT stream, \(JournalSQL.eventColumns) FROM event
    JOIN (
      SELECT stream AS id, min(seq) AS first, max(seq) AS last
      FROM event JOIN stream ON stream.id = event.stream WHERE kind = 'session' GROUP BY stream
    ) ON stream = id AND (seq = first OR seq = last)
    ORDER BY stream, seq
    """

  static let integrity = "PRAGMA integrity_check"
  /// Counts rows without a stream, by table.
  static let strays = """
    SELECT 'event', count(*) FROM event WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'snapshot', count(*) FROM snapshot WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'answer', count(*) FROM answer WHERE stream NOT IN (SELECT id FROM stream)
    UNION ALL
    SELECT 'recent', count(*) FROM recent WHERE stream NOT IN (SELECT id FROM stream)
    """

  static let isEmpty = """
    SELECT NOT EXISTS (SELECT 1 FROM stream) AND NOT EXISTS (SELECT 1 FROM event)
      AND NOT EXISTS (SELECT 1 FROM snapshot) AND NOT EXISTS (SELECT 1 FROM answer)
      AND NOT EXISTS (SELECT 1 FROM recent)
    """
}
