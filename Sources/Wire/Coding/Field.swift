import JSON

/// A field of a message: its name, and the rule for values whose type alone does not determine
/// their coding.
struct Field<Value: FieldValue>: Sendable, ExpressibleByStringLiteral {
  let name: String
  let rule: FieldRule

  init(_ name: String, _ rule: FieldRule = .plain) {
    self.name = name
    self.rule = rule
  }

  /// A field without a rule.
  init(stringLiteral name: String) {
    self.init(name)
  }

  /// The value's own fields among those of the message, instead of one field.
  static var open: Field { Field("", .open) }

  /// A text that is not empty, or a list, with a maximum number of bytes or elements.
  static func bounded(_ name: String, by bound: @escaping FieldRule.Bound) -> Field {
    Field(name, .bounded(bound))
  }

  /// A text that may be empty, with a maximum number of bytes.
  static func text(_ name: String, by bound: @escaping FieldRule.Bound) -> Field {
    Field(name, .text(bound))
  }
}

/// How a field is coded if the type of its value does not determine that.
enum FieldRule: Sendable {
  typealias Bound = @Sendable (FieldBounds) -> Int

  case plain
  /// The value's fields are among those of the message.
  case open
  /// Written only if true; absent means false.
  case flag
  /// The identifier of an item, which has its own maximum length and may contain any character.
  case item
  /// A text that is not empty, or a list.
  case bounded(Bound)
  /// A text that may be empty.
  case text(Bound)
  /// A list with a maximum number of texts, each with a maximum number of bytes.
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

  /// Writes the field, or nothing if the value equals that of an absent field.
  func write(_ field: Field<Self>, to writer: inout JSONWriter)
}

/// A value that is a single JSON value, so that it can be in an optional field and in a list.
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
  /// Writes the fields into the open object.
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

/// A value with a fixed field name in every message, whose default is not written.
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

extension Array: FieldValue, FieldElement where Element: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    var (maximum, elementRule) = (Int.max, FieldRule.plain)
    switch rule {
    case .bounded(let bound): maximum = bound(bounds)
    case .list(let bound, let bytes): (maximum, elementRule) = (bound(bounds), .bounded(bytes))
    default: break
    }
    self = try value.array(maximum: maximum).map { (element) throws(DecodingFlaw) -> Element in
      try Element(decoding: element, elementRule, within: bounds)
    }
  }

  func put(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.put(to: &writer) }
    writer.endArray()
  }
}

/// A set is written as a sorted list.
extension Set: FieldValue, FieldElement where Element: FieldElement & Comparable {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(try [Element](decoding: value, rule, within: bounds))
  }

  func put(to writer: inout JSONWriter) { sorted().put(to: &writer) }
}

/// An enumeration that is coded as a word: a string with the case's raw value.
protocol CodedWord: FieldElement, RawRepresentable<String>, CaseIterable {}

extension CodedWord {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self = try value.choice()
  }

  func put(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A value that can be a member of an object with arbitrary names, such as properties.
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

// MARK: Fields of objects

extension JSONObject {
  func read<Value: FieldValue>(
    _ field: Field<Value>, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Value {
    try Value.read(field, of: self, within: bounds)
  }

  /// The list in a field.
  func list<Element: FieldElement>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [Element] {
    try Array.read(Field(name), of: self, within: bounds)
  }

  /// The list in a field; empty if the field is absent.
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
