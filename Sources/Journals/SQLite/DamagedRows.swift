import GRDB

/// What can be read of a damaged file, at any place of which an error may come.
struct DamagedRows {
  private let database: Database
  /// Whether there should be a table of recent answers: not in a file of the first version.
  private let hasRecentAnswers: Bool
  /// The streams with rows there, as far as they can be read.
  private var recentStreams: Set<Int64> = []

  init(_ database: Database) {
    self.database = database
    do {
      hasRecentAnswers = try JournalSchema.migrator.appliedIdentifiers(database) != ["1"]
    } catch {
      hasRecentAnswers = true
    }
    guard hasRecentAnswers else { return }
    recentStreams = Set(values(JournalSQL.recentStreams, []) { try $0.number(0) }.values)
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

  /// Which of the two tables of answers are in order, and as they were written: then none of theirs
  /// is missing unseen.
  func soundAnswers() -> (inRings: Bool, recent: Bool) {
    (
      isSound("answer", JournalSQL.allAnswers),
      !hasRecentAnswers || isSound("recent", JournalSQL.recentAnswers)
    )
  }

  private func isSound(_ table: String, _ answers: String) -> Bool {
    let flaws = values("PRAGMA quick_check('\(table)')", []) { try $0.text(0) }
    let answers = values(answers, []) { row in
      _ = try JournalRow.Answer(row, of: try row.number(0), from: 1)
    }
    return flaws.values == ["ok"] && answers.areAll
  }

  /// A device's answers, by their numbers.
  func answers(of stream: Int64) -> (values: [JournalRow.Answer], areAll: Bool) {
    let sql = recentStreams.contains(stream) ? JournalSQL.answers : JournalSQL.filedAnswers
    return values(sql, [stream]) { try JournalRow.Answer($0, of: stream) }
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
