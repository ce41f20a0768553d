/// A parameter of a statement.
package enum PostgreSQLValue: Equatable, Sendable {
  /// A `bigint`.
  case number(Int64)
  /// A `text`, which cannot contain U+0000.
  case text(String)
  /// A `bigint[]`.
  case numbers([Int64?])
  /// A `text[]`.
  case texts([String])

  /// The type's number in PostgreSQL's catalogue (`pg_type.oid`).
  var type: UInt32 {
    switch self {
    case .number: 20
    case .text: 25
    case .numbers: 1016
    case .texts: 1009
    }
  }
}

extension [UInt8] {
  /// Appends a value in PostgreSQL's binary format (`array_send`, `int8send`, `textsend`).
  mutating func append(_ value: PostgreSQLValue) {
    switch value {
    case .number(let number): append(bigEndian: number)
    case .text(let text): append(contentsOf: text.utf8)
    case .numbers(let numbers):
      appendArrayHeader(count: numbers.count, hasNulls: numbers.contains(nil), of: 20)
      for number in numbers {
        // A null has the length -1 and no bytes.
        append(bigEndian: number == nil ? -1 : Int32(8))
        if let number { append(bigEndian: number) }
      }
    case .texts(let texts):
      appendArrayHeader(count: texts.count, hasNulls: false, of: 25)
      for text in texts {
        append(bigEndian: Int32(text.utf8.count))
        append(contentsOf: text.utf8)
      }
    }
  }

  /// Dimensions, whether there are nulls, the elements' type; then, unless it is empty, the length
  /// of the one dimension and its lower bound.
  private mutating func appendArrayHeader(count: Int, hasNulls: Bool, of type: Int32) {
    append(bigEndian: count == 0 ? 0 : Int32(1))
    append(bigEndian: hasNulls ? 1 : Int32(0))
    append(bigEndian: type)
    guard count > 0 else { return }
    append(bigEndian: Int32(count))
    append(bigEndian: Int32(1))
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
