package import Vocabulary

/// A view of an object in a parsed text; it cannot outlive the text.
///
/// Fields are looked up by name in any order. Unused fields are ignored, of two with the same name
/// the first counts, and a field that is null counts as absent.
package struct JSONObject: ~Escapable {
  let value: JSONValue

  @_lifetime(copy value)
  init(value: borrowing JSONValue) {
    self.value = copy value
  }

  /// Whether the field is present and not null.
  package func has(_ name: String) -> Bool {
    optionalValue(name) != nil
  }

  /// The field's value, or nil if it is absent or null.
  @_lifetime(copy self)
  package func optionalValue(_ name: String) -> JSONValue? {
    guard let index = value.tape.value(of: name, in: value.index) else { return nil }
    guard value.tape.letter(at: index) != UInt8(ascii: "n") else { return nil }
    return JSONValue(tape: value.tape, index: index)
  }

  /// The field's value, which must be present.
  @_lifetime(copy self)
  package func value(_ name: String) throws(DecodingFlaw) -> JSONValue {
    guard let found = optionalValue(name) else {
      throw .missing(field: value.tape.path(to: value.index, then: name))
    }
    return found
  }

  /// How many fields the object has.
  package var count: Int {
    Int(value.tape.words[value.index] >> 32 & 0xFF_FFFF)
  }

  /// Calls the body with the name and the value of each field, in order, nulls included.
  ///
  /// - Throws: what the body throws, and `tooLong` at a name of more than `maximum` bytes.
  package func forEachField(
    nameMaximum maximum: Int, _ body: (String, JSONValue) throws(DecodingFlaw) -> Void
  ) throws(DecodingFlaw) {
    let tape = value.tape
    let contents = tape.contents(of: value.index)
    var index = contents.lowerBound
    while index < contents.upperBound {
      let name = tape.string(at: index)
      guard name.count <= maximum else {
        throw .tooLong(field: tape.path(to: value.index), limit: maximum)
      }
      try body(value.text(name), JSONValue(tape: tape, index: index + 1))
      index = tape.end(of: index + 1)
    }
  }

  /// The flaw of a field whose value is not allowed.
  package func outOfRange(_ name: String, allowed: String) -> DecodingFlaw {
    .outOfRange(field: value.tape.path(to: value.index, then: name), allowed: allowed)
  }
}

extension JSONObject {
  /// The whole object as minified text of at most `maximum` bytes; see ``JSONValue/rawJSON(maximum:)``.
  package func rawJSON(maximum: Int) throws(DecodingFlaw) -> JSONText {
    try value.rawJSON(maximum: maximum)
  }
}

/// The accessors: for each type, one for a required field and one for a field that may be absent or
/// null.
extension JSONObject {
  /// The string in a field, of at most `maximum` bytes of UTF-8.
  package func string(_ name: String, maximum: Int) throws(DecodingFlaw) -> String {
    try value(name).string(maximum: maximum)
  }

  /// The string in a field, or nil if it is absent.
  package func optionalString(_ name: String, maximum: Int) throws(DecodingFlaw) -> String? {
    try optionalValue(name)?.string(maximum: maximum)
  }

  /// The whole number in a field; see ``JSONValue/int64(in:)``.
  package func int64(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(DecodingFlaw) -> Int64 {
    try value(name).int64(in: range)
  }

  /// The whole number in a field, or nil if it is absent.
  package func optionalInt64(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(DecodingFlaw) -> Int64? {
    try optionalValue(name)?.int64(in: range)
  }

  /// The whole number in a field, as `Int`.
  package func int(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(DecodingFlaw) -> Int {
    Int(try value(name).int64(in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// The whole number in a field, as `Int`, or nil if it is absent.
  package func optionalInt(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(DecodingFlaw) -> Int? {
    guard let number = optionalValue(name) else { return nil }
    return Int(try number.int64(in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// The number in a field.
  package func double(
    _ name: String,
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(DecodingFlaw) -> Double {
    try value(name).double(in: range)
  }

  /// The number in a field, or nil if it is absent.
  package func optionalDouble(
    _ name: String,
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(DecodingFlaw) -> Double? {
    try optionalValue(name)?.double(in: range)
  }

  /// The truth value in a field.
  package func bool(_ name: String) throws(DecodingFlaw) -> Bool {
    try value(name).bool()
  }

  /// The truth value in a field, or nil if it is absent.
  package func optionalBool(_ name: String) throws(DecodingFlaw) -> Bool? {
    try optionalValue(name)?.bool()
  }

  /// The object in a field.
  @_lifetime(copy self)
  package func object(_ name: String) throws(DecodingFlaw) -> JSONObject {
    try value(name).object()
  }

  /// The object in a field, or nil if it is absent.
  @_lifetime(copy self)
  package func optionalObject(_ name: String) throws(DecodingFlaw) -> JSONObject? {
    guard let found = optionalValue(name) else { return nil }
    return try found.object()
  }

  /// The array in a field, of at most `maximum` elements.
  @_lifetime(copy self)
  package func array(_ name: String, maximum: Int) throws(DecodingFlaw) -> JSONArray {
    try value(name).array(maximum: maximum)
  }

  /// The array in a field, or nil if it is absent.
  @_lifetime(copy self)
  package func optionalArray(
    _ name: String, maximum: Int
  ) throws(DecodingFlaw) -> JSONArray? {
    guard let found = optionalValue(name) else { return nil }
    return try found.array(maximum: maximum)
  }

  /// A field's value of any type, as text of at most `maximum` bytes, or nil if it is absent; see
  /// ``JSONValue/rawJSON(maximum:levels:)``.
  package func optionalRawJSON(
    _ name: String, maximum: Int, levels: Int = .max
  ) throws(DecodingFlaw) -> JSONText? {
    try optionalValue(name)?.rawJSON(maximum: maximum, levels: levels)
  }

  /// The enumeration case whose raw value is the string in a field.
  ///
  /// - Throws: `outOfRange` with all raw values, if there is no such case.
  @inlinable package func choice<Choice>(
    _ name: String, among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    try value(name).choice(among: choices)
  }

  /// The enumeration case whose raw value is the string in a field, or nil if it is absent.
  @inlinable package func optionalChoice<Choice>(
    _ name: String, among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    try optionalValue(name)?.choice(among: choices)
  }
}

/// A view of an array in a parsed text; it cannot outlive the text.
package struct JSONArray: ~Escapable {
  private let value: JSONValue

  @_lifetime(copy value)
  init(value: borrowing JSONValue) {
    self.value = copy value
  }

  /// How many elements the array has.
  package var count: Int {
    // The tape stores counts below 2^24; a line with more elements is too long for the parser.
    Int(value.tape.words[value.index] >> 32 & 0xFF_FFFF)
  }

  /// The results of the body for each element, in order.
  package func map<T>(
    _ body: (JSONValue) throws(DecodingFlaw) -> T
  ) throws(DecodingFlaw) -> [T] {
    var results: [T] = []
    results.reserveCapacity(count)
    try forEach { (element) throws(DecodingFlaw) in
      results.append(try body(element))
    }
    return results
  }

  /// Calls the body with each element, in order.
  package func forEach(
    _ body: (JSONValue) throws(DecodingFlaw) -> Void
  ) throws(DecodingFlaw) {
    let contents = value.tape.contents(of: value.index)
    var index = contents.lowerBound
    while index < contents.upperBound {
      try body(JSONValue(tape: value.tape, index: index))
      index = value.tape.end(of: index)
    }
  }
}

/// What is wrong with a line from a peer; the peer gets an error.
///
/// A `field` is the path from the outermost object, such as `queue[2].item`; the empty path is the
/// line itself.
package enum DecodingFlaw: Error, Equatable, Sendable {
  /// The line is not a JSON text (RFC 8259); the reason comes from the parser.
  case notJSON(reason: String)
  /// A required field is absent or null.
  case missing(field: String)
  /// The field's value has another type.
  case wrongType(field: String, expected: JSONType)
  /// The field's value has the right type but is not allowed.
  case outOfRange(field: String, allowed: String)
  /// The field's value has more than `limit` bytes (texts) or elements (arrays and objects).
  case tooLong(field: String, limit: Int)
}

extension DecodingFlaw: CustomStringConvertible {
  /// A sentence for the sender's developer: what is wrong, where, and what is expected.
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
