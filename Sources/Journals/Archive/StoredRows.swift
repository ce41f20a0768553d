import Coordination
import GRDB
import Vocabulary
import Wire

/// A stream's row in a journal's file.
struct StoredStream {
  let id: Int64
  /// An ``AggregateKind``, or, of a stream that was set aside, a longer text.
  let kind: String
  let name: String
  let began: Instant
  let ended: Instant?

  /// What it is of; `nil` of one that was set aside.
  var aggregate: AggregateID? { AggregateKind(rawValue: kind).map { AggregateID($0, name) } }

  init(_ row: Row) throws(UnreadableRecord) {
    id = try row.stored(0, "id")
    kind = try row.stored(1, "kind")
    name = try row.stored(2, "name")
    began = Instant(microseconds: try row.stored(3, "began"))
    ended = row.hasNull(atIndex: 4) ? nil : Instant(microseconds: try row.stored(4, "ended"))
  }
}

/// An event's row.
struct StoredEvent {
  let seq: Int
  let at: Instant
  let format: Int
  let body: String

  init(_ row: Row) throws(UnreadableRecord) {
    seq = try row.stored(0, "seq")
    at = Instant(microseconds: try row.stored(1, "at"))
    format = try row.stored(2, "format")
    body = try row.stored(3, "body")
  }
}

/// A snapshot's row.
struct StoredSnapshot {
  let seq: Int
  let format: Int
  let body: String

  init(_ row: Row) throws(UnreadableRecord) {
    seq = try row.stored(0, "seq")
    format = try row.stored(1, "format")
    body = try row.stored(2, "body")
  }
}

/// The row of a device's late answer.
struct StoredAnswer {
  let slot: Int
  let number: Int
  let request: RequestID
  let format: Int
  let body: String

  init(_ row: Row) throws(UnreadableRecord) {
    slot = try row.stored(0, "slot")
    number = try row.stored(1, "number")
    request = try row.stored(2, "request")
    format = try row.stored(3, "format")
    body = try row.stored(4, "body")
  }
}

extension Row {
  /// A column's value; a file that others may have touched holds anything anywhere.
  func stored<Value: DatabaseValueConvertible>(
    _ index: Int, _ name: String
  ) throws(UnreadableRecord) -> Value {
    let stored: DatabaseValue = self[index]
    guard let value = Value.fromDatabaseValue(stored) else {
      throw UnreadableRecord("the column \(name) holds something else")
    }
    return value
  }
}

extension Database {
  func storedStreams() throws -> [StoredStream] {
    try Row.fetchAll(self, sql: ArchiveSQL.streams).map { row in try StoredStream(row) }
  }

  func storedSnapshot(of stream: Int64) throws -> StoredSnapshot? {
    let statement = try cachedStatement(sql: ArchiveSQL.snapshot)
    return try Row.fetchOne(statement, arguments: [stream]).map { row in try StoredSnapshot(row) }
  }

  /// Hands out a stream's events, in order.
  func eachStoredEvent(of stream: Int64, _ body: (StoredEvent) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: ArchiveSQL.events), arguments: [stream])
    while let row = try rows.next() { try body(StoredEvent(row)) }
  }

  /// Hands out a device's late answers, in order.
  func eachStoredAnswer(of stream: Int64, _ body: (StoredAnswer) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: ArchiveSQL.answers), arguments: [stream])
    while let row = try rows.next() { try body(StoredAnswer(row)) }
  }

  func storedClock() throws -> ClockTie? {
    try Row.fetchOne(self, sql: ArchiveSQL.clock).map { row in
      ClockTie(
        boot: try row.stored(0, "boot"),
        host: HostTime(microseconds: try row.stored(1, "host")),
        instant: Instant(microseconds: try row.stored(2, "instant")))
    }
  }
}
