/// The types a protocol's fields can have; JSON's own, with whole numbers apart.
package enum JSONType: Equatable, Sendable {
  /// `{"a": 1}`.
  case object
  /// `[1, 2]`.
  case array
  /// `"text"`.
  case string
  /// A number without a fraction that `Int64` can hold.
  case integer
  /// Any other number.
  case number
  /// `true` or `false`.
  case boolean
  /// `null`; a field that is null counts as absent.
  case null

  /// The type with its article, for sentences.
  package var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
