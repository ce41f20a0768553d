import GRDB

/// Looks at every page and every row of a journal's file.
struct JournalCheck {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Checks that the pages and indexes are in order, that each row is as it was written, and that each belongs
  /// to a stream.
  ///
  /// - Throws: ``Damage``, or what SQLite throws of it.
  func run() throws {
    let flaw = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
    guard flaw == "ok" else { throw Damage(flaw.replacing("\n", with: " ")) }
    var streams: Set<Int64> = []
    try forEach("SELECT id, kind, name, began, ended, sum FROM stream") { row in
      streams.insert(try JournalRow.Stream(row).id)
    }
    try forEach(JournalSQL.allEvents) { row in
      _ = try JournalRow.Record(row, of: try owner(of: row, among: streams), from: 1)
      _ = try JournalRow.Answer(ofEvent: row, from: 6)
    }
    try forEach("SELECT stream, seq, at, format, body, sum FROM snapshot") { row in
      _ = try JournalRow.Record(row, of: try owner(of: row, among: streams), from: 1)
    }
    for sql in [JournalSQL.allAnswers, JournalSQL.recentAnswers] {
      try forEach(sql) { row in
        _ = try owner(of: row, among: streams)
        _ = try JournalRow.Answer(row)
      }
    }
  }

  private func owner(of row: Row, among streams: Set<Int64>) throws(Damage) -> Int64 {
    let stream = try row.number(0)
    guard streams.contains(stream) else { throw Damage("a row is of no stream: \(stream)") }
    return stream
  }

  private func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() { try body(row) }
  }
}
