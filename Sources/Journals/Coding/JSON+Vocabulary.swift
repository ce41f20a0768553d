import JSON
import Vocabulary

// Fields as a journal has them: bounded when they came in, so by nothing here.

extension JSONObject {
  func text(_ name: String) throws(DecodingFlaw) -> String { try string(name, maximum: .max) }

  func identifier<Kind>(_ name: String) throws(DecodingFlaw) -> Identifier<Kind> {
    Identifier(try text(name))
  }

  func optionalIdentifier<Kind>(_ name: String) throws(DecodingFlaw) -> Identifier<Kind>? {
    try optionalString(name, maximum: .max).map { Identifier($0) }
  }

  func instant(_ name: String) throws(DecodingFlaw) -> Instant {
    Instant(microseconds: try int64(name))
  }

  func optionalInstant(_ name: String) throws(DecodingFlaw) -> Instant? {
    try optionalInt64(name).map { Instant(microseconds: $0) }
  }

  /// Something that is only said where it is so.
  func flag(_ name: String) throws(DecodingFlaw) -> Bool { try optionalBool(name) ?? false }

  /// The texts in a field; absent, there are none.
  func texts(_ name: String) throws(DecodingFlaw) -> [String] {
    guard let texts = try optionalArray(name, maximum: .max) else { return [] }
    return try texts.map { (text) throws(DecodingFlaw) in try text.string(maximum: .max) }
  }

  /// What the objects in a field hold; absent, there are none.
  func objects<Value>(
    _ name: String, _ body: (JSONObject) throws(DecodingFlaw) -> Value
  ) throws(DecodingFlaw) -> [Value] {
    guard let values = try optionalArray(name, maximum: .max) else { return [] }
    return try values.map { (value) throws(DecodingFlaw) in try body(value.object()) }
  }
}

extension JSONWriter {
  /// Writes a field only where it is so; absent is false.
  mutating func flag(_ name: String, _ isSo: Bool) {
    if isSo { field(name, isSo) }
  }

  /// Writes an array, unless it is empty.
  mutating func list<Elements: Collection>(
    _ name: String, _ elements: Elements, _ body: (Elements.Element, inout JSONWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    array(name) { writer in
      for element in elements { body(element, &writer) }
    }
  }
}
