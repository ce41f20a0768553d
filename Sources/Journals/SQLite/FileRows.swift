import GRDB
import Vocabulary

/// The rows of live streams in a file: one statement for snapshots, events and answers each.
struct FileRows: LiveRows {
  private var snapshots: StreamRows
  private var events: StreamRows
  private var answers: StreamRows

  init(_ database: Database) throws {
    snapshots = try StreamRows(database, JournalSQL.liveSnapshots)
    events = try StreamRows(database, JournalSQL.liveEvents)
    answers = try StreamRows(database, JournalSQL.liveAnswers)
  }

  mutating func begin(
    _ streams: ClosedRange<Int64>, _ extent: ReadingExtent, ofDevices: Bool
  ) throws {
    let (first, last) = (streams.lowerBound, streams.upperBound)
    try events.begin([first, last, extent.start.microseconds, extent.earlierEvents, ofDevices])
    if ofDevices {
      try answers.begin([first, last])
    } else {
      try snapshots.begin([first, last])
    }
  }

  mutating func snapshot(of stream: Int64) throws -> JournalRow.Record? {
    try snapshots.next(of: stream)
      .map { (row) throws(Damage) in try JournalRow.Record(row, of: stream, from: 1) }
  }

  mutating func event(
    of stream: Int64
  ) throws -> (record: JournalRow.Record, answer: JournalRow.Answer?)? {
    guard let row = try events.next(of: stream) else { return nil }
    return (
      try JournalRow.Record(row, of: stream, from: 1), try JournalRow.Answer(ofEvent: row, from: 6)
    )
  }

  mutating func answer(of stream: Int64) throws -> JournalRow.Answer? {
    try answers.next(of: stream).map { (row) throws(Damage) in try JournalRow.Answer(row) }
  }
}

/// Yields the rows of an ordered statement stream by stream; skips the rest of a stream that was
/// not read to its end.
private struct StreamRows {
  private let statement: Statement
  private var rows: RowCursor?
  /// The last row read.
  ///
  /// Unless it was yielded, it belongs to a later stream.
  private var row: Row?
  private var wasGiven = true

  /// - Parameter sql: selects the stream's id in the first column and orders by it.
  init(_ database: Database, _ sql: String) throws {
    statement = try database.makeStatement(sql: sql)
  }

  /// Restarts with other arguments.
  mutating func begin(_ arguments: StatementArguments) throws {
    // Releases the old cursor first, because its deinitializer resets the statement.
    rows = nil
    rows = try Row.fetchCursor(statement, arguments: arguments)
    wasGiven = true
  }

  /// The next row of a stream, valid until the next call; `nil` after the last one.
  mutating func next(of stream: Int64) throws -> Row? {
    while true {
      if wasGiven { row = try rows?.next() }
      wasGiven = false
      guard let row else { return nil }
      let found = try row.number(0)
      guard found >= stream else {
        wasGiven = true
        continue
      }
      guard found == stream else { return nil }
      wasGiven = true
      return row
    }
  }
}
