import Coordination
import GRDB
import Vocabulary

extension JournalRow.Stream {
  /// What it is of; `nil` of one that was set aside, whose kind is a longer text.
  var aggregate: AggregateID? { AggregateKind(rawValue: kind).map { AggregateID($0, name) } }
}

extension JournalRow.Record {
  var instant: Instant { Instant(microseconds: at) }
}

/// How those who only read a journal go through its rows; all of these throw ``Damage`` at a row
/// that has changed.
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

  /// Hands out a stream's events, in order.
  func eachStoredEvent(of stream: Int64, _ body: (JournalRow.Record) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: ArchiveSQL.events), arguments: [stream])
    while let row = try rows.next() { try body(JournalRow.Record(row, of: stream)) }
  }

  func storedClock() throws -> ClockTie? {
    guard let row = try Row.fetchOne(self, sql: JournalSQL.clock) else { return nil }
    let (boot, host, instant) = try JournalRow.clock(row)
    return ClockTie(
      boot: boot, host: HostTime(microseconds: host), instant: Instant(microseconds: instant))
  }
}

/// The late answers of devices, in their rings or not yet.
struct StoredAnswers {
  private let database: Database
  private var unfiled = UnfiledAnswers()

  /// - Throws: ``Damage`` at a row that has changed.
  init(_ database: Database) throws {
    self.database = database
    try unfiled.add(JournalSQL.recentAnswers, from: database)
    try unfiled.add(ArchiveSQL.unfiledAnswers, from: database)
  }

  /// Hands out a device's late answers, in order.
  ///
  /// - Throws: ``Damage`` at a row that has changed.
  func each(of stream: Int64, _ body: (JournalRow.Answer) throws -> Void) throws {
    let statement = try database.cachedStatement(sql: JournalSQL.filedAnswers)
    let ring = try Row.fetchCursor(statement, arguments: [stream])
      .map { (row) throws(Damage) in try JournalRow.Answer(row) }
    for answer in unfiled.filed(into: try Array(ring), of: stream) { try body(answer) }
  }
}
