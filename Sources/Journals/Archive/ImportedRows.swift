import GRDB
import Vocabulary
import Wire

/// How an import writes rows: the one place that knows the tables' columns.
extension Database {
  func insertStream(
    _ id: Int, kind: String, name: String, began: Instant, ended: Instant?
  ) throws {
    try cachedStatement(sql: ArchiveSQL.insertStream).execute(arguments: [
      id, kind, name, began.microseconds, ended?.microseconds,
    ])
  }

  func insertEvent(of stream: Int, _ seq: Int, at instant: Instant, _ body: ExportedBody) throws {
    try cachedStatement(sql: JournalSQL.insertEvent).execute(arguments: [
      stream, seq, instant.microseconds, body.format, body.text,
    ])
  }

  func insertSnapshot(of stream: Int, _ seq: Int, _ body: ExportedBody) throws {
    try cachedStatement(sql: ArchiveSQL.insertSnapshot).execute(arguments: [
      stream, seq, body.format, body.text,
    ])
  }

  func insertAnswer(
    of stream: Int, slot: Int, number: Int, request: RequestID, _ body: ExportedBody
  ) throws {
    try cachedStatement(sql: ArchiveSQL.insertAnswer).execute(arguments: [
      stream, slot, number, request, body.format, body.text,
    ])
  }

  func insertClock(_ tie: ClockTie) throws {
    try execute(
      sql: JournalSQL.setClock,
      arguments: [tie.boot, tie.host.microseconds, tie.instant.microseconds])
  }
}
