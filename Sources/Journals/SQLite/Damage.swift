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
  /// Read as an optional, straight from SQLite: what is not optional would end the process where it
  /// is missing, and a `DatabaseValue` of each column took a start an eighth of its time.
  ///
  /// - Throws: ``Damage`` if there is none.
  func number(_ column: Int) throws(Damage) -> Int64 {
    guard let number = optionalNumber(column) else {
      throw Damage("a row holds something else than a number")
    }
    return number
  }

  func optionalNumber(_ column: Int) -> Int64? { self[column] }

  func text(_ column: Int) throws(Damage) -> String {
    guard let text: String = self[column] else {
      throw Damage("a row holds something else than a text")
    }
    return text
  }
}
