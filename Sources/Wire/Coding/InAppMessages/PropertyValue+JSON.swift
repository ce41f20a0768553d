import InAppMessaging
import JSON

extension PropertyValue: FieldElement {
  /// Writes a JSON value: a string, a number, a boolean, or an array of strings.
  func put(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): writer.string(text)
    case .number(let number): writer.number(number)
    case .bool(let isSo): isSo.put(to: &writer)
    case .list(let texts):
      writer.beginArray()
      for text in texts { writer.string(text) }
      writer.endArray()
    }
  }

  /// Reads a value of an action or a journal, which only the length of the line limits.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    try self.init(decoding: value, within: PropertyBounds.line)
  }

  init(decoding value: JSONValue, within bounds: PropertyBounds) throws(DecodingFlaw) {
    switch value.type {
    case .string: self = .string(try value.string(maximum: bounds.valueBytes))
    case .integer, .number: self = .number(try value.double())
    case .boolean: self = .bool(try value.bool())
    case .array:
      let texts = try value.array(maximum: bounds.listTexts)
        .map { (text) throws(DecodingFlaw) -> String in
          try text.string(maximum: bounds.valueBytes)
        }
      self = .list(texts)
      guard bytes <= bounds.valueBytes else { throw value.tooLong(limit: bounds.valueBytes) }
    case .object, .null:
      throw value.outOfRange(allowed: "a text, a number, true or false, or an array of texts")
    }
  }

  /// The number of bytes of its texts.
  fileprivate var bytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .number, .bool: 0
    case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    }
  }
}

extension PropertyValue: FieldMember {
  static func members(
    _ name: String, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [String: PropertyValue] {
    try object.properties(name, within: bounds.properties)
  }

  static func write(
    _ members: [String: PropertyValue], _ name: String, to writer: inout JSONWriter
  ) {
    writer.properties(members, name)
  }
}

extension JSONWriter {
  /// Writes a field with an object of properties sorted by name, unless there are none.
  mutating func properties(
    _ properties: [String: PropertyValue], _ name: String = "properties"
  ) {
    guard !properties.isEmpty else { return }
    self.name(name)
    beginObject()
    for (key, value) in properties.inOrder() {
      self.name(key)
      value.put(to: &self)
    }
    endObject()
  }

  /// Writes a whole number without a fraction, and null for a number that JSON does not have.
  fileprivate mutating func number(_ number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 {
      integer(whole)
    } else {
      number.write(to: &self)
    }
  }
}

extension Dictionary<String, PropertyValue> {
  /// The elements sorted by name, so that every machine writes the same bytes; most have only one.
  fileprivate func inOrder() -> [Element] {
    count < 2 ? Array(self) : sorted { $0.key < $1.key }
  }
}

extension JSONObject {
  /// The properties in a field; none if it is absent.
  func properties(
    _ name: String = "properties", within bounds: PropertyBounds
  ) throws(DecodingFlaw) -> [String: PropertyValue] {
    guard let value = optionalValue(name) else { return [:] }
    let object = try value.object()
    guard object.count <= bounds.count else { throw value.tooLong(limit: bounds.count) }
    var properties: [String: PropertyValue] = [:]
    var bytes = 0
    try object.forEachField(nameMaximum: bounds.nameBytes) { (key, field) throws(DecodingFlaw) in
      guard !key.isEmpty else { throw value.outOfRange(allowed: "an object without empty names") }
      // Null counts as absent, and of two fields with the same name the first counts.
      guard field.type != .null, properties[key] == nil else { return }
      let property = try PropertyValue(decoding: field, within: bounds)
      bytes += key.utf8.count + property.bytes
      guard bytes <= bounds.bytes else { throw value.tooLong(limit: bounds.bytes) }
      properties[key] = property
    }
    return properties
  }

  /// The key-value pairs of a message; values of unsupported types are left out, so that an app
  /// treats them as absent.
  func extras(_ name: String = "extras") -> [String: PropertyValue] {
    guard let value = optionalValue(name), value.type == .object else { return [:] }
    var extras: [String: PropertyValue] = [:]
    do throws(DecodingFlaw) {
      try value.object().forEachField(nameMaximum: .max) { (key, field) throws(DecodingFlaw) in
        guard extras[key] == nil, let extra = PropertyValue(readable: field) else { return }
        extras[key] = extra
      }
    } catch {}
    return extras
  }
}

extension PropertyValue {
  fileprivate init?(readable value: JSONValue) {
    do throws(DecodingFlaw) {
      try self.init(decoding: value, within: PropertyBounds.line)
    } catch { return nil }
  }
}
