import GRDB
package import PostgreSQL
import Vocabulary

/// Copies between a journal in PostgreSQL and tables in the shape of a journal's file, in which
/// readers look and which an import fills.
private enum PostgreSQLCopy {
  /// How many streams are copied at once.
  static let partSize: Int64 = 256

  /// The tables whose rows belong to streams, with their columns after the stream.
  static let events = "stream, seq, at, format, body FROM matinee.event"
  static let snapshots = "stream, seq, at, format, body FROM matinee.snapshot"
  static let answers = "stream, slot, number, request, format, body FROM matinee.answer"
}

extension JournalArchive {
  /// Copies one moment of a journal in PostgreSQL into a temporary file, also while a server writes
  /// to it; changes nothing.
  ///
  /// - Throws: ``JournalError`` if it cannot be read, or another version of Matinee made its tables.
  package init(copyOf address: PostgreSQLAddress) throws(JournalError) {
    do {
      let connection = try PostgreSQLConnection(address)
      try PostgreSQLMigration.check(connection, address)
      let database = try Self.temporaryDatabase()
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try database.write { try $0.copy(from: connection) }
      self.init(
        path: address.description, database,
        .copy(
          bytes: try connection.run(PostgreSQLSQL.size).number(0, 0),
          version: try PostgreSQLSchema.version(of: connection),
          isInUse: try connection.run(PostgreSQLSQL.holders).number(0, 0) > 0))
    } catch {
      throw JournalError(error, address)
    }
  }

  /// An empty journal in a file that SQLite removes when it is closed.
  static func temporaryDatabase() throws -> DatabaseQueue {
    let database = try DatabaseQueue(path: "")
    try JournalSchema.migrator.migrate(database)
    return database
  }
}

extension Database {
  /// Fills empty tables from PostgreSQL.
  fileprivate func copy(from connection: PostgreSQLConnection) throws {
    let clock = try connection.run(PostgreSQLSQL.clock)
    if clock.count > 0 {
      try setClock(clock.text(0, 0), host: clock.number(0, 1), instant: clock.number(0, 2))
    }
    var last: Int64 = 0
    var live = 0
    while true {
      let streams = try connection.run(
        """
        SELECT id, kind, name, began, ended FROM matinee.stream WHERE id > $1
        ORDER BY id LIMIT \(PostgreSQLCopy.partSize)
        """, [.number(last)])
      guard streams.count > 0 else { break }
      let first = last + 1
      last = try streams.number(streams.count - 1, 0)
      for row in 0..<streams.count {
        let ended = try streams.optionalNumber(row, 4)
        if ended == nil { live += 1 }
        try insertStream(
          Int(streams.number(row, 0)), kind: streams.text(row, 1), name: streams.text(row, 2),
          began: Instant(microseconds: streams.number(row, 3)),
          ended: ended.map { Instant(microseconds: $0) })
      }
      try copyRows(of: first...last, from: connection)
    }
    try setTally(live, last: last)
    let notices = try connection.run("SELECT at, text FROM matinee.notice ORDER BY id")
    for row in 0..<notices.count {
      try addNotice(notices.text(row, 1), at: Instant(microseconds: notices.number(row, 0)))
    }
  }

  private func copyRows(
    of streams: ClosedRange<Int64>, from connection: PostgreSQLConnection
  ) throws {
    func rows(_ columns: String) throws -> PostgreSQLRows {
      try connection.run(
        "SELECT \(columns) WHERE stream BETWEEN $1 AND $2",
        [.number(streams.lowerBound), .number(streams.upperBound)])
    }
    let events = try rows(PostgreSQLCopy.events)
    for row in 0..<events.count {
      try insertEvent(
        events.number(row, 1), of: events.number(row, 0), at: events.number(row, 2),
        format: Int(events.number(row, 3)), events.text(row, 4))
    }
    let snapshots = try rows(PostgreSQLCopy.snapshots)
    for row in 0..<snapshots.count {
      try replaceSnapshot(
        snapshots.number(row, 1), of: snapshots.number(row, 0), at: snapshots.number(row, 2),
        format: Int(snapshots.number(row, 3)), snapshots.text(row, 4))
    }
    let answers = try rows(PostgreSQLCopy.answers)
    for row in 0..<answers.count {
      try replaceAnswer(
        JournalRow.Answer(
          of: answers.number(row, 0), at: answers.number(row, 1), answers.number(row, 2),
          to: answers.number(row, 3), format: Int(answers.number(row, 4)), answers.text(row, 5)))
    }
  }
}

extension JournalImport {
  /// Fills an empty journal in PostgreSQL from an export, all or nothing.
  ///
  /// - Parameters:
  ///   - address: the database, whose tables are there; no server may write to it.
  ///   - input: returns the next bytes of the export, or none at its end.
  /// - Throws: a ``JournalError`` about the database, a ``BrokenExport`` about a line, or an error
  ///   of `input`.
  package init(into address: PostgreSQLAddress, reading input: () throws -> [UInt8]) throws {
    let database = try JournalArchive.temporaryDatabase()
    self = try database.write { try Self.run($0, input) }
    do {
      let connection = try PostgreSQLConnection(address)
      try PostgreSQLMigration.check(connection, address)
      try connection.runScript(PostgreSQLSQL.lock)
      try connection.run("BEGIN")
      guard try connection.run("SELECT count(*) FROM matinee.stream").number(0, 0) == 0 else {
        throw JournalError.notEmpty(path: address.description)
      }
      try database.read { try $0.copy(to: connection) }
      try connection.run("COMMIT")
    } catch {
      throw JournalError(error, address)
    }
  }
}

extension Database {
  /// Fills empty tables in PostgreSQL.
  fileprivate func copy(to connection: PostgreSQLConnection) throws {
    if let clock = try storedClock() { try connection.setClock(clock) }
    let answers = try StoredAnswers(self)
    let streams = try storedStreams()
    for stream in streams { try copy(stream, answers, to: connection) }
    try connection.run(
      "UPDATE matinee.node SET last_stream = $1", [.number(streams.map(\.id).max() ?? 0)])
  }

  private func copy(
    _ stream: JournalRow.Stream, _ answers: StoredAnswers, to connection: PostgreSQLConnection
  ) throws {
    var events: [JournalRow.Record] = []
    let snapshot = try storedSnapshot(of: stream.id)
    var last = snapshot?.seq ?? 0
    func flush() throws {
      try connection.insert(events, of: stream.id, into: "event")
      events.removeAll(keepingCapacity: true)
    }
    try eachStoredEvent(of: stream.id) { event in
      events.append(event)
      last = max(last, event.seq)
      // A part of a long history, so that it does not all lie in memory.
      if events.count == 512 { try flush() }
    }
    try flush()
    if let snapshot { try connection.insert([snapshot], of: stream.id, into: "snapshot") }
    try connection.run(
      """
      INSERT INTO matinee.stream (id, kind, name, last, began, ended)
      VALUES ($1, $2, $3, $4, $5, ($6::bigint[])[1])
      """,
      [
        .number(stream.id), .text(stream.kind), .text(stream.name), .number(last),
        .number(stream.began), .numbers([stream.ended]),
      ], preparedAs: "copy stream")
    try answers.each(of: stream.id) { answer in
      try connection.run(
        "INSERT INTO matinee.answer VALUES ($1, $2, $3, $4, $5, $6)",
        [
          .number(answer.device), .number(answer.slot), .number(answer.number),
          .number(answer.request), .number(Int64(answer.format)), .text(answer.body),
        ], preparedAs: "copy answer")
    }
  }
}

extension PostgreSQLConnection {
  /// Inserts events or snapshots of a stream.
  fileprivate func insert(
    _ records: [JournalRow.Record], of stream: Int64, into table: String
  ) throws(PostgreSQLError) {
    guard !records.isEmpty else { return }
    try run(
      """
      INSERT INTO matinee.\(table) (stream, seq, at, format, body)
      SELECT $1, seq, at, format, body
      FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
        AS x (seq, at, format, body)
      """,
      [
        .number(stream), .numbers(records.map(\.seq)), .numbers(records.map(\.at)),
        .numbers(records.map { Int64($0.format) }), .texts(records.map(\.body)),
      ], preparedAs: "copy \(table)")
  }
}
