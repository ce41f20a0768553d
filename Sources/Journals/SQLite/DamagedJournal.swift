import GRDB
import Vocabulary

/// Replaces a damaged journal's file: sets it aside, and puts a new file with all readable data in
/// its place.
///
/// The new file is complete before the damaged one is touched. Power may fail at any moment: the
/// next start either begins again, or finds the complete file and finishes the renaming.
struct DamagedJournal {
  private let paths: JournalPaths
  private let answersPerDevice: Int
  private let now: Instant

  init(_ paths: JournalPaths, answersPerDevice: Int, at now: Instant) {
    self.paths = paths
    self.answersPerDevice = answersPerDevice
    self.now = now
  }

  /// Sets the file aside and puts a new one in its place.
  ///
  /// - Returns: notices for people.
  func replace(because damage: Damage) throws -> [String] {
    let stamp = paths.stamp(at: now)
    for part in JournalPaths.parts { try JournalFiles.remove(paths.salvage + part) }
    let salvage = try fill(paths.salvage)
    let notices =
      [
        "the journal \(paths.file) is damaged (\(damage)) and is set aside as "
          + "\(paths.damaged(stamp)); a new one holds what could be read of it: "
          + salvage.summary
      ] + salvage.details
    try add(notices, to: paths.salvage)
    try JournalFiles.rename(paths.salvage, to: paths.salvaged(stamp))
    try takePlace(stamp)
    return notices
  }

  /// Finishes a replacement that another process began.
  ///
  /// - Returns: notices for people.
  func finishReplacement() throws -> [String] {
    try paths.unfinished().map { stamp in
      try takePlace(stamp)
      return "the journal \(paths.file) was damaged and is set aside as \(paths.damaged(stamp)); "
        + "a new one holds what could be read of it"
    }
  }

  private func takePlace(_ stamp: String) throws {
    for part in JournalPaths.parts {
      try JournalFiles.rename(paths.file + part, to: paths.damaged(stamp) + part)
    }
    try JournalFiles.rename(paths.salvaged(stamp), to: paths.file)
  }

  private func fill(_ path: String) throws -> JournalSalvage {
    let new = try open(path)
    try JournalSchema.migrator.migrate(new)
    var salvage = JournalSalvage(ring: answersPerDevice)
    // SQLite would discard the log of an empty file, so this does not open it.
    guard try JournalFiles.size(of: paths.file) > 0 else {
      try new.close()
      return salvage
    }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let old = try DatabaseQueue(path: paths.file, configuration: configuration)
      try old.inDatabase { old in
        try new.write { new in try salvage.copy(from: DamagedRows(old), to: new) }
      }
      try old.close()
    } catch {
      // A file that is no database holds nothing readable.
      guard Damage(error) != nil else { throw error }
    }
    try new.close()
    return salvage
  }

  private func add(_ notices: [String], to path: String) throws {
    let new = try open(path)
    try new.write { new in
      for notice in notices { try new.addNotice(notice, at: now) }
    }
    try new.close()
  }

  /// Opens a file without write-ahead log, because the file is renamed later.
  private func open(_ path: String) throws -> DatabaseQueue {
    try JournalFiles.makePrivate(path)
    return try DatabaseQueue(path: path)
  }
}

/// A finding that a journal's file is not as it was written.
struct Damage: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The damage behind an error; `nil` if the file is not at fault.
  ///
  /// The statements and tables are fixed, so a complaint of SQLite about them means that rows of
  /// its schema have changed.
  init?(_ error: any Error) {
    switch error {
    case let damage as Damage: self = damage
    case let error as DatabaseError
    where [
      .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_MISMATCH,
      .SQLITE_CONSTRAINT, .SQLITE_EMPTY,
    ].contains(error.resultCode):
      self.init(error.message ?? "\(error.resultCode)")
    // A value has a type that is never written to its column.
    case is RowDecodingError: self.init("a row holds a value of the wrong type")
    default: return nil
    }
  }
}

extension Row {
  /// The integer in a column.
  ///
  /// If the value's type has changed, SQLite converts it, and the row's sum no longer fits.
  ///
  /// - Throws: ``Damage`` if there is none.
  func number(_ column: Int) throws(Damage) -> Int64 {
    try value(column, "a row holds no number where one was written")
  }

  func optionalNumber(_ column: Int) throws(Damage) -> Int64? {
    hasNull(atIndex: column) ? nil : try number(column)
  }

  func text(_ column: Int) throws(Damage) -> String {
    try value(column, "a row holds no text where one was written")
  }

  /// Decodes without GRDB's subscript, which traps on a value of another type.
  private func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: Int, _ flaw: String
  ) throws(Damage) -> Value {
    do { return try decode(Value.self, atIndex: column) } catch { throw Damage(flaw) }
  }
}

/// Reads what is readable of a damaged file.
///
/// Any access may fail.
struct DamagedRows {
  private let database: Database

  init(_ database: Database) {
    self.database = database
    do {
      try JournalSchema.showAsCurrent(database)
    } catch {
      // Without the views, the file is read as one of the current version.
    }
  }

  /// The first row; `nil` if there is none, or if it is unreadable.
  private func row(_ sql: String, _ arguments: StatementArguments = []) -> Row? {
    do {
      return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    } catch {
      // Any error means the same: the row is unreadable.
      return nil
    }
  }

  /// The values of rows, in order, up to the first unreadable one.
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

  /// The answers of table `answer` or `recent`, and whether all are readable.
  func answers(in sql: String) -> (values: [JournalRow.Answer], areAll: Bool) {
    values(sql, []) { try JournalRow.Answer($0) }
  }

  /// Whether a table is sound, and so lacks no row of which there is no trace.
  ///
  /// - Parameter key: the column behind `stream` in the table's key, if it has no row ids: then
  ///   SQLite does not notice a page that was written over another one, but its rows are out of
  ///   order.
  func isSound(_ table: String, orderedBy key: String? = nil) -> Bool {
    let flaws = values("PRAGMA quick_check('\(table)')", []) { try $0.text(0) }
    guard flaws.values == ["ok"] else { return false }
    guard let key else { return true }
    var last = (Int64.min, Int64.min)
    return values("SELECT stream, \(key) FROM \(table)", []) { row -> Void in
      let next = (try row.number(0), try row.number(1))
      guard last < next else { throw Damage("rows of the table \(table) are out of order") }
      last = next
    }.areAll
  }

  /// Whether a page belongs to no table.
  ///
  /// Then a table may lack rows and look sound: if its root was replaced by one of an empty table, the
  /// pages below it are nobody's.
  var hasStrayPages: Bool {
    let flaws = values("PRAGMA quick_check(1000000)", []) { try $0.text(0) }
    return !flaws.areAll || flaws.values.contains { $0.contains("is never used") }
  }

  /// The answers in a device's ring, ordered by number.
  func filedAnswers(of stream: Int64) -> (values: [JournalRow.Answer], areAll: Bool) {
    values(JournalSQL.filedAnswers, [stream]) { try JournalRow.Answer($0) }
  }

  /// The readable answers in a stream's events after `seq`, even of events that are unreadable
  /// themselves.
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

  /// The ids of all streams that have a readable row in any table.
  func streams() -> [Int64] {
    var found = ids(in: "stream", "id")
    for table in ["event", "snapshot", "answer", "recent"] {
      found.formUnion(ids(in: table, "stream"))
    }
    return found.sorted()
  }

  /// Walks up from the smallest id to the damage, and down from the largest id to it.
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
