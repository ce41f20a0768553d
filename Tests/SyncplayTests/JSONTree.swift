import JSON
import Vocabulary

/// A JSON value, to be compared with what a script expects.
indirect enum JSONTree: Equatable {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Reads an object's text.
  init(_ text: String) throws {
    var parser = JSONParser(maximumBytes: max(text.utf8.count, 64))
    self = try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
      try JSONTree(object)
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

  /// Whether this has all that the pattern has; `"*"` stands for anything, and numbers may differ
  /// by what a line takes.
  func matches(_ pattern: JSONTree) -> Bool {
    switch (self, pattern) {
    case (_, .string("*")): true
    case (.object(let fields), .object(let wanted)):
      wanted.allSatisfy { name, pattern in fields[name]?.matches(pattern) == true }
    case (.array(let elements), .array(let wanted)):
      elements.count == wanted.count && zip(elements, wanted).allSatisfy { $0.matches($1) }
    case (.number(let number), .number(let wanted)): abs(number - wanted) < 0.25
    default: self == pattern
    }
  }

  subscript(name: String) -> JSONTree? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  var number: Double? { if case .number(let number) = self { number } else { nil } }
}
