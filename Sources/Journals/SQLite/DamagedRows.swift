import GRDB

/// What can be read of a damaged file, at any place of which an error may come.
struct DamagedRows {
  private let database: Database

  init(_ database: Database) {
    self.database = database
    do {
      try JournalSchema.showAsCurrent(database)
    } catch {
      // Then it is taken for a file of this version.
    }
  }

  /// The first row; `nil` if there is none, or it cannot be read.
  private func row(_ sql: String, _ arguments: StatementArguments = []) -> Row? {
    do {
      return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    } catch {
      // Whatever it is: this row is not to be had.
      return nil
    }
  }

  /// The values of rows, in order, up to the first one that cannot be read.
  func values<Value>(
    _ sql: String, _ arguments: StatementArguments, _ value: (Row) throws -> Value
  ) -> (values: [Value], areAll: Bool) {
    var values: [Value] = []
    do {
      let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
      while let row = try rows.next() { values.append(try value(row)) }
      return (values, true)
    } catch {
      return (values, false)
    }
  }

  /// The answers of one of their two tables, and whether it is in order and as it was written: then
  /// none of its answers is missing unseen.
  func answers(
    in table: String, _ sql: String
  ) -> (values: [JournalRow.Answer], areSound: Bool) {
    let flaws = values("PRAGMA quick_check('\(table)')", []) { try $0.text(0) }
    let answers = values(sql, []) { try JournalRow.Answer($0) }
    return (answers.values, flaws.values == ["ok"] && answers.areAll)
  }

  /// The answers that a device's ring has, by their numbers.
  func filedAnswers(of stream: Int64) -> (values: [JournalRow.Answer], areAll: Bool) {
    values(JournalSQL.filedAnswers, [stream]) { try JournalRow.Answer($0) }
  }

  /// The answers in a stream's events behind the one of that number, as far as they can be read,
  /// also where the event beside one cannot.
  func answers(ofEventsOf stream: Int64, after seq: Int64) -> [JournalRow.Answer] {
    values(JournalSQL.eventAnswers, [stream, seq]) { row in
      do throws(Damage) { return try JournalRow.Answer(ofEvent: row, from: 0) } catch { return nil }
    }.values.compactMap(\.self)
  }

  func stream(_ id: Int64) -> JournalRow.Stream? {
    values(JournalSQL.stream, [id]) { try JournalRow.Stream($0) }.values.first
  }

  func clock() -> (boot: String, host: Int64, instant: Int64)? {
    values(JournalSQL.clock, []) { try JournalRow.clock($0) }.values.first
  }

  /// The ids of every stream of which any table has a row that can be found.
  func streams() -> [Int64] {
    var found = ids(in: "stream", "id")
    for table in ["event", "snapshot", "answer", "recent"] {
      found.formUnion(ids(in: table, "stream"))
    }
    return found.sorted()
  }

  /// From below up to where the table is damaged, and from above down to there.
  private func ids(in table: String, _ column: String) -> Set<Int64> {
    var ids: Set<Int64> = []
    for (end, direction) in [("min", ">"), ("max", "<")] {
      var id = number("SELECT \(end)(\(column)) FROM \(table)")
      while let known = id, ids.insert(known).inserted {
        id = number(
          "SELECT \(end)(\(column)) FROM \(table) WHERE \(column) \(direction) ?", [known])
      }
    }
    return ids
  }

  private func number(_ sql: String, _ arguments: StatementArguments = []) -> Int64? {
    row(sql, arguments).flatMap { Int64.fromDatabaseValue($0[0]) }
  }
}
