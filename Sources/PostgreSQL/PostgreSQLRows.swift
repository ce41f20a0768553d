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
  /// - Throws: ``PostgreSQLError`` if the value is null or no whole number.
  package func number(_ row: Int, _ column: Int) throws(PostgreSQLError) -> Int64 {
    let text = try text(row, column)
    guard let number = Int64(text) else {
      throw PostgreSQLError(.refused, "column \(column) holds no number but \(text)")
    }
    return number
  }

  /// A whole number; `nil` for null.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is no whole number.
  package func optionalNumber(_ row: Int, _ column: Int) throws(PostgreSQLError) -> Int64? {
    isNull(row, column) ? nil : try number(row, column)
  }

  /// A text, or another value as text.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is null.
  package func text(_ row: Int, _ column: Int) throws(PostgreSQLError) -> String {
    check(row, column)
    guard !isNull(row, column), let bytes = unsafe PQgetvalue(raw, Int32(row), Int32(column)) else {
      throw PostgreSQLError(.refused, "column \(column) holds nothing")
    }
    let count = Int(unsafe PQgetlength(raw, Int32(row), Int32(column)))
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func isNull(_ row: Int, _ column: Int) -> Bool {
    check(row, column)
    return unsafe PQgetisnull(raw, Int32(row), Int32(column)) == 1
  }

  private func check(_ row: Int, _ column: Int) {
    precondition(
      (0..<count).contains(row) && (0..<Int(unsafe PQnfields(raw))).contains(column),
      "a value of the result")
  }
}

@available(*, unavailable)
extension PostgreSQLRows: Sendable {}
