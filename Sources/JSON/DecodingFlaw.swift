/// What is wrong with a line from a peer: a reason to answer it with an error, never to trap.
///
/// A `field` is the way from the outermost object, such as `queue[2].item`; the line itself is
/// the empty text.
package enum DecodingFlaw: Error, Equatable, Sendable {
  /// The line is no JSON text (RFC 8259); the reason is the parser's.
  case notJSON(reason: String)
  /// A field that must be there is not, or is null.
  case missing(field: String)
  /// The field's value is of another type.
  case wrongType(field: String, expected: JSONType)
  /// The field's value is of the right type, and not among the values that are allowed.
  case outOfRange(field: String, allowed: String)
  /// The field's value has more than `limit` bytes (texts) or elements (arrays and objects).
  case tooLong(field: String, limit: Int)
}

extension DecodingFlaw: CustomStringConvertible {
  /// A sentence for the sender's developer: what is wrong, where, and what would be right.
  package var description: String {
    switch self {
    case .notJSON(let reason):
      "The line is not valid JSON: \(reason)"
    case .missing(let field):
      "\(Self.name(field)) is missing."
    case .wrongType(let field, let expected):
      "\(Self.name(field)) must be \(expected.phrase)."
    case .outOfRange(let field, let allowed):
      "\(Self.name(field)) must be \(allowed)."
    case .tooLong(let field, let limit):
      "\(Self.name(field)) is longer than the allowed \(limit)."
    }
  }

  private static func name(_ field: String) -> String {
    field.isEmpty ? "The line" : "The field '\(field)'"
  }
}
