internal import CLibpq

/// The rows of a statement's result.
///
/// Confined to the thread that received it.
@safe package final class PostgreSQLRows {
  private let raw: OpaquePointer

  /// Owns the result from now on.
  init(_ raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit {
    unsafe PQclear(raw)
  }

  package var count: Int { Int(unsafe PQntuples(raw)) }

  /// A whole number.
  ///
  /// - Throws: ``PostgreSQLError`` if there is no such value, or it is null or no whole number.
  package func number(_ row: Int, _ column: Int) throws(PostgreSQLError) -> Int64 {
    let text = try text(row, column)
    guard let number = Int64(text) else {
      throw PostgreSQLError(.refused, "column \(column) holds no number but \(text)")
    }
    return number
  }

  /// A whole number; `nil` for null.
  ///
  /// - Throws: ``PostgreSQLError`` if there is no such value, or it is no whole number.
  package func optionalNumber(_ row: Int, _ column: Int) throws(PostgreSQLError) -> Int64? {
    try isNull(row, column) ? nil : try number(row, column)
  }

  /// A text, or another value as text.
  ///
  /// - Throws: ``PostgreSQLError`` if there is no such value, or it is null.
  package func text(_ row: Int, _ column: Int) throws(PostgreSQLError) -> String {
    guard try !isNull(row, column), let bytes = unsafe PQgetvalue(raw, Int32(row), Int32(column))
    else {
      throw PostgreSQLError(.refused, "column \(column) holds nothing")
    }
    let count = Int(unsafe PQgetlength(raw, Int32(row), Int32(column)))
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func isNull(_ row: Int, _ column: Int) throws(PostgreSQLError) -> Bool {
    // A table without its rows is the database's fault, not ours.
    guard (0..<count).contains(row) else { throw .missingRow }
    precondition((0..<Int(unsafe PQnfields(raw))).contains(column), "a column of the statement")
    return unsafe PQgetisnull(raw, Int32(row), Int32(column)) == 1
  }
}

@available(*, unavailable)
extension PostgreSQLRows: Sendable {}
