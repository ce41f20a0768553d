package import JSON
import Vocabulary

// The coding of the vocabulary's values.

extension Identifier: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch rule {
    case .item: self.init(try value.word(maximum: bounds.itemBytes))
    case .bounded(let maximum):
      self = try value.identifier(maximum: maximum(bounds), within: bounds)
    default: self = try value.identifier(within: bounds)
    }
  }

  func put(to writer: inout JSONWriter) { writer.string(text) }
}

extension Field<ItemID> {
  static var item: Self { item("item") }
  static func item(_ name: String) -> Self { Field(name, .item) }
}

extension Field<ItemID?> {
  static var item: Self { Field("item", .item) }
}

extension String: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch rule {
    case .bounded(let maximum): self = try value.word(maximum: maximum(bounds))
    case .text(let maximum): self = try value.string(maximum: maximum(bounds))
    default: self = try value.string(maximum: .max)
    }
  }

  func put(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self = try value.bool()
  }

  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Bool {
    if case .flag = field.rule { return try object.flag(field.name) }
    return try object.bool(field.name)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    if case .flag = field.rule, !self { return }
    writer.name(field.name)
    put(to: &writer)
  }

  func put(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
}

extension Field<Bool> {
  static func flag(_ name: String) -> Self { Field(name, .flag) }
}

/// A count or number: a seq, a revision, a suspension.
extension Int: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(try value.int64(in: FieldBounds.exactIntegers))
  }

  func put(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

/// The number of a request or of a version.
extension Int64: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self = try value.int64(in: FieldBounds.exactIntegers)
  }

  func put(to writer: inout JSONWriter) { writer.integer(self) }
}

/// A 64-bit number, written as the signed integer with the same bits.
extension UInt64: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(bitPattern: try value.int64())
  }

  func put(to writer: inout JSONWriter) { writer.integer(Int64(bitPattern: self)) }
}

extension Instant: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(microseconds: try value.int64(in: bounds.times))
  }

  func put(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension HostTime: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(microseconds: try value.int64())
  }

  func put(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension MediaTime: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(microseconds: try value.int64(in: bounds.times))
  }

  func put(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension Duration: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    var range = bounds.times
    if case .within(let own) = rule { range = own(bounds) }
    self = .microseconds(try value.int64(in: range))
  }

  func put(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension Rate: FieldElement {
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    let range = Rate.slowest.factor...Rate.fastest.factor
    guard let rate = Rate(try value.double(in: range)) else {
      throw value.outOfRange(allowed: "between \(range.lowerBound) and \(range.upperBound)")
    }
    self = rate
  }

  func put(to writer: inout JSONWriter) { writer.thousandths(Int64(thousandths)) }
}

/// An application's own value, passed through unchanged; absent and null are both `null`, which is
/// not written.
extension JSONText: FieldValue {
  static func read(
    _ field: Field<Self>, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> JSONText {
    var maximum = Int.max
    if case .bounded(let bound) = field.rule { maximum = bound(bounds) }
    return try object.payload(field.name, maximum: maximum, levels: bounds.payloadLevels)
  }

  func write(_ field: Field<Self>, to writer: inout JSONWriter) {
    guard self != .null else { return }
    writer.name(field.name)
    writer.literal(text)
  }
}

extension Field<JSONText> {
  static var payload: Self { .bounded("payload", by: \.messageBytes) }
}

// MARK: Reading

extension JSONValue {
  /// A text that is not empty.
  func word(maximum: Int) throws(DecodingFlaw) -> String {
    let text = try string(maximum: maximum)
    guard !text.isEmpty else { throw empty }
    return text
  }

  private var empty: DecodingFlaw { outOfRange(allowed: "a text that is not empty") }

  func identifier<Kind>(
    maximum: Int? = nil, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind> {
    let text = try string(maximum: maximum ?? bounds.identifierBytes)
    guard !text.isEmpty || bounds.identifiersMayBeEmpty else { throw empty }
    guard bounds.identifiersMayHoldControls || !text.hasControls else {
      throw outOfRange(allowed: "a text without control characters")
    }
    return Identifier(text)
  }
}

extension JSONObject {
  func word(_ name: String, maximum: Int) throws(DecodingFlaw) -> String {
    try value(name).word(maximum: maximum)
  }

  func identifier<Kind>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind> {
    try value(name).identifier(within: bounds)
  }

  func optionalIdentifier<Kind>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind>? {
    try optionalValue(name)?.identifier(within: bounds)
  }

  func instant(_ name: String, within bounds: FieldBounds) throws(DecodingFlaw) -> Instant {
    Instant(microseconds: try int64(name, in: bounds.times))
  }

  func optionalInstant(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Instant? {
    try optionalInt64(name, in: bounds.times).map { Instant(microseconds: $0) }
  }

  /// A count or number: a seq, a revision, a suspension.
  func count(_ name: String) throws(DecodingFlaw) -> Int {
    Int(try int64(name, in: FieldBounds.exactIntegers))
  }

  func optionalCount(_ name: String) throws(DecodingFlaw) -> Int? {
    try optionalInt64(name, in: FieldBounds.exactIntegers).map { Int($0) }
  }

  func requestID() throws(DecodingFlaw) -> RequestID {
    try int64("id", in: FieldBounds.exactIntegers)
  }

  /// A field that is written only if true; absent means false.
  func flag(_ name: String) throws(DecodingFlaw) -> Bool {
    try optionalBool(name) ?? false
  }

  /// An application's own value, passed through unchanged; absent and null are both `null`.
  func payload(
    _ name: String = "payload", maximum: Int, levels: Int
  ) throws(DecodingFlaw) -> JSONText {
    try optionalRawJSON(name, maximum: maximum, levels: levels) ?? .null
  }
}

extension JSONText {
  /// The value of an absent payload.
  static let null = JSONText(validated: "null")
}

// MARK: Writing

extension Duration: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension HostTime: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension JSONWriter {
  /// Writes a field only if the value is true; absent means false.
  mutating func flag(_ name: String, _ isSo: Bool) {
    if isSo { field(name, isSo) }
  }

  /// Writes an enumeration's raw value.
  mutating func field(_ name: String, word: some RawRepresentable<String>) {
    field(name, word.rawValue)
  }

  /// Writes an application's own value, unless it is `null`.
  mutating func payload(_ value: JSONText) {
    if value != .null { field("payload", value) }
  }
}

// Non-generic overloads for the common fields. Generics from another module are not specialized and
// look up type metadata for each field: encoding an event took 1.2 µs with them and 0.46 µs
// without; see ``Layout`` for records.
extension JSONWriter {
  mutating func field<Kind>(_ name: String, _ id: Identifier<Kind>) {
    self.name(name)
    string(id.text)
  }

  mutating func field<Kind>(_ name: String, _ id: Identifier<Kind>?) {
    if let id { field(name, id) }
  }

  mutating func field(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  mutating func field(_ name: String, _ number: Int64) {
    self.name(name)
    integer(number)
  }

  mutating func field(_ name: String, _ number: Int) { field(name, Int64(number)) }

  mutating func field(_ name: String, _ instant: Instant) { field(name, instant.microseconds) }

  mutating func field(_ name: String, _ instant: Instant?) {
    if let instant { field(name, instant) }
  }

  mutating func field(_ name: String, _ place: MediaTime) { field(name, place.microseconds) }

  mutating func field(_ name: String, _ rate: Rate) {
    self.name(name)
    thousandths(Int64(rate.thousandths))
  }

  mutating func field(_ name: String, _ rate: Rate?) {
    if let rate { field(name, rate) }
  }
}
