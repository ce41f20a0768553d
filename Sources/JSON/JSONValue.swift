package import Vocabulary

/// A view of one value in a parsed text; it cannot outlive the text.
///
/// Flaws are reported with the path from the outermost object. The path is found by walking the
/// tape from its root, so only flawed values pay for it.
package struct JSONValue: ~Escapable {
  let tape: JSONTape
  let index: Int

  @_lifetime(copy tape)
  init(tape: borrowing JSONTape, index: Int) {
    self.tape = copy tape
    self.index = index
  }

  /// The type of the value.
  package var type: JSONType {
    switch tape.letter(at: index) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"): .integer
    case UInt8(ascii: "u"), UInt8(ascii: "d"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    default: .null
    }
  }

  /// The value as an object.
  @_lifetime(copy self)
  package func object() throws(DecodingFlaw) -> JSONObject {
    guard type == .object else { throw wrongType(.object) }
    return JSONObject(value: self)
  }

  /// The value as an array of at most `maximum` elements.
  @_lifetime(copy self)
  package func array(maximum: Int) throws(DecodingFlaw) -> JSONArray {
    guard type == .array else { throw wrongType(.array) }
    let array = JSONArray(value: self)
    guard array.count <= maximum else { throw tooLong(limit: maximum) }
    return array
  }

  /// The value as a string of at most `maximum` bytes of UTF-8.
  package func string(maximum: Int) throws(DecodingFlaw) -> String {
    guard type == .string else { throw wrongType(.string) }
    let bytes = tape.string(at: index)
    guard bytes.count <= maximum else { throw tooLong(limit: maximum) }
    return try text(bytes)
  }

  /// The value as a whole number in `range`.
  ///
  /// `5.0` and `5e0` count as whole numbers too, up to 2^53, because not every language's writer
  /// distinguishes integers from floating point.
  package func int64(in range: ClosedRange<Int64> = .min ... .max) throws(DecodingFlaw) -> Int64 {
    let number: Int64
    switch tape.letter(at: index) {
    case UInt8(ascii: "l"):
      number = Int64(bitPattern: tape.words[index + 1])
    case UInt8(ascii: "u"):
      throw outOfRange(range)
    case UInt8(ascii: "d"):
      let double = Double(bitPattern: tape.words[index + 1])
      guard let whole = Int64(exactly: double) else { throw wrongType(.integer) }
      guard whole.magnitude <= 1 << 53 else { throw outOfRange(range) }
      number = whole
    default:
      throw wrongType(.integer)
    }
    guard range.contains(number) else { throw outOfRange(range) }
    return number
  }

  /// The value as a number in `range`.
  package func double(
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(DecodingFlaw) -> Double {
    let number: Double
    switch tape.letter(at: index) {
    case UInt8(ascii: "l"): number = Double(Int64(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "u"): number = Double(tape.words[index + 1])
    case UInt8(ascii: "d"): number = Double(bitPattern: tape.words[index + 1])
    default: throw wrongType(.number)
    }
    guard range.contains(number) else { throw outOfRange(range) }
    return number
  }

  /// The value as a boolean.
  package func bool() throws(DecodingFlaw) -> Bool {
    switch tape.letter(at: index) {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: throw wrongType(.boolean)
    }
  }

  /// The value of any type as minified text of at most `maximum` bytes.
  ///
  /// Numbers are written as Swift writes them (`1e2` becomes `100.0`), strings with the fewest
  /// escapes; the order of fields and duplicate fields are kept.
  ///
  /// - Parameters:
  ///   - maximum: how many bytes it may have.
  ///   - levels: how many arrays and objects may be in one another.
  package func rawJSON(maximum: Int, levels: Int = .max) throws(DecodingFlaw) -> JSONText {
    var writer = JSONWriter(capacity: 64)
    try write(to: &writer, levels: levels)
    guard writer.bytes.count <= maximum else { throw tooLong(limit: maximum) }
    return JSONText(validated: try text(writer.bytes.span))
  }

  /// Decodes bytes.
  ///
  /// simdjson 3.0 accepts an unpaired `\udc00` and turns it into three bytes that are not valid
  /// UTF-8.
  func text(_ bytes: Span<UInt8>) throws(DecodingFlaw) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw .notJSON(reason: "The string in '\(tape.path(to: index))' is not valid Unicode.")
    }
  }
}

extension JSONValue {
  /// The flaw of a value that is not allowed.
  package func outOfRange(allowed: String) -> DecodingFlaw {
    .outOfRange(field: tape.path(to: index), allowed: allowed)
  }

  private func outOfRange<Bound>(_ range: ClosedRange<Bound>) -> DecodingFlaw {
    outOfRange(allowed: "between \(range.lowerBound) and \(range.upperBound)")
  }

  private func wrongType(_ expected: JSONType) -> DecodingFlaw {
    .wrongType(field: tape.path(to: index), expected: expected)
  }

  /// The flaw of a value that has more than `limit` bytes or elements.
  package func tooLong(limit: Int) -> DecodingFlaw {
    .tooLong(field: tape.path(to: index), limit: limit)
  }
}

extension JSONValue {
  /// The enumeration case whose raw value is the string.
  ///
  /// It is inlinable, because unspecialized code looks up its types each time, which takes a tenth
  /// of decoding an event.
  ///
  /// - Throws: `outOfRange` with all raw values, if there is no such case.
  @inlinable package func choice<Choice>(
    among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let choice = Choice(rawValue: try string(maximum: .max)) else {
      let spellings = choices.allCases.map { "'\($0.rawValue)'" }
      throw outOfRange(allowed: "one of \(spellings.joined(separator: ", "))")
    }
    return choice
  }
}

extension JSONValue {
  /// Checks that an array or object may be there, if so many of them may still be in one another.
  package func checkRoom(for levels: Int) throws(DecodingFlaw) {
    guard levels > 0 else { throw outOfRange(allowed: "a value with fewer levels") }
  }

  /// Appends the value as minified text.
  ///
  /// - Throws: `notJSON` for a string that is not valid Unicode; see ``text(_:)``. `outOfRange` for
  ///   more than `levels` arrays and objects in one another.
  fileprivate func write(to writer: inout JSONWriter, levels: Int) throws(DecodingFlaw) {
    switch tape.letter(at: index) {
    case UInt8(ascii: "{"):
      try checkRoom(for: levels)
      writer.beginObject()
      try JSONObject(value: self).forEachField(nameMaximum: .max) {
        (name, value) throws(DecodingFlaw) in
        writer.name(name)
        try value.write(to: &writer, levels: levels - 1)
      }
      writer.endObject()
    case UInt8(ascii: "["):
      try checkRoom(for: levels)
      writer.beginArray()
      try JSONArray(value: self).forEach { (element) throws(DecodingFlaw) in
        try element.write(to: &writer, levels: levels - 1)
      }
      writer.endArray()
    case UInt8(ascii: "\""): writer.element(try text(tape.string(at: index)))
    case UInt8(ascii: "l"): writer.element(Int64(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "u"): writer.element(tape.words[index + 1])
    case UInt8(ascii: "d"): writer.element(Double(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "t"): writer.element(true)
    case UInt8(ascii: "f"): writer.element(false)
    default: writer.elementNull()
    }
  }
}

/// The types of a protocol's fields: JSON's own, with integers as a separate type.
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

  /// The type with its article, for error messages.
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
