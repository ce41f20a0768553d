import GRDB

/// Rows in the order of the streams that they are of, given out stream by stream; a stream that
/// was given up halfway is passed over.
struct StreamRows {
  private let statement: Statement
  private var rows: RowCursor?
  /// The row that was read last: it belongs to a later stream, unless it was given out.
  private var row: Row?
  private var wasGiven = true

  /// - Parameter sql: selects the stream's number first, and orders by it.
  init(_ database: Database, _ sql: String) throws {
    statement = try database.makeStatement(sql: sql)
  }

  /// Begins anew.
  mutating func begin(_ arguments: StatementArguments) throws {
    // As a cursor goes, it resets the statement.
    rows = nil
    rows = try Row.fetchCursor(statement, arguments: arguments)
    wasGiven = true
  }

  /// The next row of a stream, valid until the next call; `nil` after its last.
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
