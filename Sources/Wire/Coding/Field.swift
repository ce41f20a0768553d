import JSON
import Vocabulary

/// A field of a message: its name, and what its type leaves open about reading and writing it.
struct Field<Value: FieldValue>: Sendable, ExpressibleByStringLiteral {
  let name: String
  let rule: FieldRule

  init(_ name: String, _ rule: FieldRule = .plain) {
    self.name = name
    self.rule = rule
  }

  /// A field without a rule of its own.
  init(stringLiteral name: String) {
    self.init(name)
  }

  /// No field, but the value's own fields among those of the message.
  static var open: Field { Field("", .open) }

  /// A text of at most so many bytes that is not empty, or a list of at most so many elements.
  static func bounded(_ name: String, by bound: @escaping FieldRule.Bound) -> Field {
    Field(name, .bounded(bound))
  }
}

/// How a field is read and written, where the type of its value does not say it.
enum FieldRule: Sendable {
  typealias Bound = @Sendable (FieldBounds) -> Int

  case plain
  /// The value's fields stand among those of the message.
  case open
  /// Written only where true; absent is false.
  case flag
  /// The identifier of an item, which has a bound of its own and may hold any character.
  case item
  /// A text that is not empty, or a list.
  case bounded(Bound)
  /// A text that may be empty.
  case text(Bound)
  /// A list of at most so many texts of at most so many bytes.
  case list(Bound, bytes: Bound)
  /// A time in this range.
  case within(@Sendable (FieldBounds) -> ClosedRange<Int64>)
}

/// A value that can be a field of a message.
protocol FieldValue: Sendable {
  /// Reads the value from its field.
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self

  /// Writes the field, or nothing where that says the same.
  func write(_ field: Field<Self>, to writer: inout JSONWriter)
}

/// A value that is one JSON value: it can be in a field that may be absent, and in a list.
protocol FieldElement: FieldValue {
  /// Reads the JSON value.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw)

  /// Reads the value from a field that may be absent.
  static func optional(
    _ field: Field<Self?>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self?

  /// Writes the JSON value.
  func put(to writer: inout JSONWriter)
}

extension FieldElement {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    try Self(decoding: object.value(field.name), field.rule, within: bounds)
  }

  static func optional(
    _ field: Field<Self?>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self? {
    guard let value = object.optionalValue(field.name) else { return nil }
    return try Self(decoding: value, field.rule, within: bounds)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    writer.name(field.name)
    put(to: &writer)
  }
}

/// A value with fields: an object, or fields among those of a message (``FieldRule/open``).
protocol Fields: FieldElement {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter)
  /// Reads what ``encodeFields(into:)`` writes.
  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw)
}

extension Fields {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    try self.init(decoding: value.object(), within: bounds)
  }

  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    if case .open = field.rule { return try Self(decoding: object, within: bounds) }
    return try Self(decoding: object.object(field.name), within: bounds)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    if case .open = field.rule { return encodeFields(into: &writer) }
    writer.name(field.name)
    put(to: &writer)
  }

  func put(to writer: inout JSONWriter) {
    writer.beginObject()
    encodeFields(into: &writer)
    writer.endObject()
  }
}

/// A value that has one field of its own in every message, and leaves it out where it is as usual.
protocol OwnField: FieldValue {
  func encodeField(into writer: inout JSONWriter)
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw)
}

extension OwnField {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    try Self(decodingFieldOf: object, within: bounds)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) { encodeField(into: &writer) }
}

extension Optional: FieldValue where Wrapped: FieldElement {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    try Wrapped.optional(field, of: object, within: bounds)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    self?.write(Field<Wrapped>(field.name, field.rule), to: &writer)
  }
}

extension Array: FieldValue where Element: FieldElement {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    var (maximum, rule) = (Int.max, FieldRule.plain)
    switch field.rule {
    case .bounded(let bound): maximum = bound(bounds)
    case .list(let bound, let bytes): (maximum, rule) = (bound(bounds), .bounded(bytes))
    default: break
    }
    return try object.array(field.name, maximum: maximum)
      .map { (value) throws(DecodingFlaw) -> Element in
        try Element(decoding: value, rule, within: bounds)
      }
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    writer.name(field.name)
    writer.beginArray()
    for element in self { element.put(to: &writer) }
    writer.endArray()
  }
}

/// An enumeration of words.
protocol Word: FieldElement, RawRepresentable<String>, CaseIterable {}

extension Word {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self = try value.choice()
  }

  func put(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A value that an object can hold under any names, as properties are.
protocol FieldMember: Sendable {
  static func members(
    _ name: String, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [String: Self]
  static func write(_ members: [String: Self], _ name: String, to writer: inout JSONWriter)
}

extension Dictionary: FieldValue where Key == String, Value: FieldMember {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Self {
    try Value.members(field.name, of: object, within: bounds)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    Value.write(self, field.name, to: &writer)
  }
}

// MARK: In values with fields

extension JSONObject {
  /// The list in a field.
  func list<Element: FieldElement>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [Element] {
    try Array.read(Field(name), of: self, within: bounds)
  }

  /// The list in a field; absent, it is empty.
  func optionalList<Element: FieldElement>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [Element] {
    has(name) ? try list(name, within: bounds) : []
  }
}

extension JSONWriter {
  mutating func field(_ name: String, _ value: some Fields) {
    self.name(name)
    value.put(to: &self)
  }

  mutating func field(_ name: String, _ value: (some Fields)?) {
    if let value { field(name, value) }
  }

  mutating func field<Value: Fields>(_ name: String, _ values: [Value]) {
    values.write(Field(name), to: &self)
  }

  /// Writes a list, unless it is empty.
  mutating func list<Element: FieldElement>(_ name: String, _ elements: [Element]) {
    if !elements.isEmpty { elements.write(Field(name), to: &self) }
  }
}
