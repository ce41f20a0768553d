import JSON
import Vocabulary

/// A JSON value that can be compared with a script's pattern.
package indirect enum JSONTree: Equatable, Sendable {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Parses an object.
  package init(_ text: String) throws {
    var parser = JSONParser(maximumBytes: max(text.utf8.count, 64))
    self = try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
      try JSONTree(object)
    }
  }

  /// Parses an object; `nil` if the text is none.
  package init?(ifObject text: String) {
    do {
      self = try JSONTree(text)
    } catch {
      return nil
    }
  }

  private init(_ object: borrowing JSONObject) throws(DecodingFlaw) {
    var fields: [String: JSONTree] = [:]
    try object.forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
      fields[name] = try JSONTree(value)
    }
    self = .object(fields)
  }

  private init(_ value: borrowing JSONValue) throws(DecodingFlaw) {
    switch value.type {
    case .object: self = try JSONTree(try value.object())
    case .array:
      self = .array(
        try value.array(maximum: .max).map { (element) throws(DecodingFlaw) in
          try JSONTree(element)
        })
    case .string: self = .string(try value.string(maximum: .max))
    case .integer, .number: self = .number(try value.double())
    case .boolean: self = .bool(try value.bool())
    case .null: self = .null
    }
  }

  /// Whether this contains everything in the pattern; `"*"` matches anything.
  ///
  /// - Parameter slack: how far positions and timestamps may differ, in seconds, because lines take
  ///   time.
  package func matches(_ pattern: JSONTree, slack: Double) -> Bool {
    switch (self, pattern) {
    case (_, .string("*")): true
    case (.object(let fields), .object(let wanted)):
      wanted.allSatisfy { name, pattern in
        guard let value = fields[name] else { return false }
        if Self.times.contains(name), let number = value.number, let wanted = pattern.number {
          return abs(number - wanted) <= slack
        }
        return value.matches(pattern, slack: slack)
      }
    case (.array(let elements), .array(let wanted)):
      elements.count == wanted.count
        && zip(elements, wanted).allSatisfy { $0.matches($1, slack: slack) }
    default: self == pattern
    }
  }

  /// The fields whose values depend on the latency of a line.
  private static let times: Set = ["position", "clientLatencyCalculation"]

  /// The value of a field, if this is an object.
  package subscript(name: String) -> JSONTree? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  /// The value, if this is a number.
  package var number: Double? { if case .number(let number) = self { number } else { nil } }
}
