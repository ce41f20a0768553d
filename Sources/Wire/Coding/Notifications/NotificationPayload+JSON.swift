package import JSON
package import UserNotifications
package import Vocabulary

extension NotificationPayload: JSONWritable, FieldElement {
  /// Writes the payload: `aps`, and the fields beside it.
  package func write(to writer: inout JSONWriter) {
    PayloadValue.dictionary(fields).write(to: &writer)
  }

  func put(to writer: inout JSONWriter) { write(to: &writer) }

  /// Reads an object; invalid values in it are treated as absent.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self.init(try value.payloadFields(levels: bounds.payloadLevels))
  }
}

extension NotificationPayload.Alert: FieldElement {
  func put(to writer: inout JSONWriter) { field.write(to: &writer) }

  /// Reads the alert of a request: a text, or an object of texts as in `aps`.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    let field = try PayloadValue(decoding: value, levels: bounds.payloadLevels)
    guard let alert = Self(field) else {
      throw value.outOfRange(
        allowed: "a text that is not empty, or an object with a title, a subtitle or a body")
    }
    self = alert
  }
}

extension RemoteNotification: Record {
  static let layout = Layout(
    { RemoteNotification(id: $0, date: $1, payload: $4, collapseID: $2, expires: $3) },
    RecordField("notification", \.id), RecordField("at", \.date),
    RecordField("collapseID", \.collapseID),
    RecordField("expires", \.expires), RecordField("payload", \.payload))
}

extension ListedNotification: Record {
  static let layout = Layout(
    ListedNotification.init, RecordField(.open, \.notification), RecordField(.flag("new"), \.isNew),
    RecordField(.flag("putAway"), \.isPutAway))
}

extension PayloadValue: JSONWritable {
  /// Writes the JSON value, with an object's fields sorted by name; a number that JSON does not
  /// have is null.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): writer.string(text)
    case .integer(let number): writer.integer(number)
    case .number(let number): number.write(to: &writer)
    case .bool(let isSo): isSo.write(to: &writer)
    case .null: writer.elementNull()
    case .list(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    case .dictionary(let fields):
      writer.beginObject()
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        writer.name(name)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// Reads any value with at most this nesting of lists and objects.
  ///
  /// A number without fraction or exponent is an integer, if it fits.
  init(decoding value: JSONValue, levels: Int) throws(DecodingFlaw) {
    switch value.type {
    case .string: self = .string(try value.string(maximum: .max))
    case .integer: self = .integer(try value.int64())
    case .number: self = .number(try value.double())
    case .boolean: self = .bool(try value.bool())
    case .null: self = .null
    case .array:
      try value.checkRoom(for: levels)
      self = .list(
        try value.array(maximum: .max).map { (element) throws(DecodingFlaw) -> PayloadValue in
          try PayloadValue(decoding: element, levels: levels - 1)
        })
    case .object: self = .dictionary(try value.payloadFields(levels: levels))
    }
  }
}

extension JSONValue {
  /// The fields of an object; of two with the same name, the first counts.
  fileprivate func payloadFields(
    levels: Int
  ) throws(DecodingFlaw) -> [String: PayloadValue] {
    let object = try object()
    try checkRoom(for: levels)
    var fields: [String: PayloadValue] = [:]
    try object.forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
      guard fields[name] == nil else { return }
      fields[name] = try PayloadValue(decoding: value, levels: levels - 1)
    }
    return fields
  }
}

extension PayloadValue: FieldMember {
  static func members(
    _ name: String, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [String: PayloadValue] {
    try object.payloadFields(name, within: bounds)
  }

  static func write(
    _ members: [String: PayloadValue], _ name: String, to writer: inout JSONWriter
  ) {
    writer.payloadFields(name, members)
  }
}

extension JSONObject {
  /// The object in a field, with an application's own contents.
  func payloadFields(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [String: PayloadValue] {
    try value(name).payloadFields(levels: bounds.payloadLevels)
  }
}

extension JSONWriter {
  /// Writes a field with an object with an application's own contents.
  package mutating func payloadFields(_ name: String, _ fields: [String: PayloadValue]) {
    field(name, PayloadValue.dictionary(fields))
  }
}
