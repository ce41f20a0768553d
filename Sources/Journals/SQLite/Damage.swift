import GRDB

/// What shows that a journal's file is not as it was written.
struct Damage: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The damage that an error tells of; `nil` if the file is not to blame.
  ///
  /// Our statements and tables are fixed: where SQLite finds fault with them, rows of the schema
  /// are not what they were.
  init?(_ error: any Error) {
    switch error {
    case let damage as Damage: self = damage
    case let error as DatabaseError
    where [
      .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_MISMATCH,
      .SQLITE_CONSTRAINT, .SQLITE_EMPTY,
    ].contains(error.resultCode):
      self.init(error.message ?? "\(error.resultCode)")
    // A value of another type than any that was ever written there.
    case is RowDecodingError: self.init("a row holds something else than was written")
    default: return nil
    }
  }
}

extension Row {
  /// The whole number in a column; what SQLite makes of it, should its type have changed, and then
  /// the row's sum does not fit.
  ///
  /// - Throws: ``Damage`` if there is none.
  func number(_ column: Int) throws(Damage) -> Int64 {
    try value(column, "a row holds something else than a number")
  }

  func optionalNumber(_ column: Int) throws(Damage) -> Int64? {
    hasNull(atIndex: column) ? nil : try number(column)
  }

  func text(_ column: Int) throws(Damage) -> String {
    try value(column, "a row holds something else than a text")
  }

  /// A subscript would end the process where the value is of another type.
  private func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: Int, _ flaw: String
  ) throws(Damage) -> Value {
    do { return try decode(Value.self, atIndex: column) } catch { throw Damage(flaw) }
  }
}
