import JSON

/// A value with fields that are declared once, for reading and for writing.
protocol Record: Fields {
  /// The fields, and the initializer that takes their values.
  static var layout: Layout<Self> { get }
}

extension Record {
  func encodeFields(into writer: inout JSONWriter) { Self.layout.write(self, to: &writer) }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self = try Self.layout.read(object, bounds)
  }
}

/// The fields of a record in the order in which they are written, and the initializer that takes
/// them in this order.
///
/// Writing allocates nothing: it takes one indirect call per field, of a closure that is created
/// where all types are known. That is 10 to 15 ns more per field than direct calls: `joined`, with
/// a participant's eight fields, is encoded in 0.57 µs instead of 0.46 to 0.49.
struct Layout<Root>: Sendable {
  let read: Reading<Root>
  private let writings: [Writing<Root>]

  init<each Value>(
    _ make: @escaping @Sendable (repeat each Value) -> Root,
    _ parts: repeat RecordField<Root, each Value>
  ) {
    read = { (object, bounds) throws(DecodingFlaw) in
      make(repeat try (each parts).read(object, bounds))
    }
    var writings: [Writing<Root>] = []
    for part in repeat each parts { writings.append(part.write) }
    self.writings = writings
  }

  func write(_ root: Root, to writer: inout JSONWriter) {
    for write in writings { write(root, &writer) }
  }
}

/// A field of a record, and the way to its value.
struct RecordField<Root, Value>: Sendable {
  fileprivate let read: Reading<Value>
  fileprivate let write: Writing<Root>
}

extension RecordField where Value: FieldValue {
  /// A field that is written and read by the rules of its type: an optional one may be absent.
  init(_ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value) {
    read = { (object, bounds) throws(DecodingFlaw) in
      try Value.read(field, of: object, within: bounds)
    }
    write = { value($0).write(field, to: &$1) }
  }

  /// A field that is always written, but read as `fallback` if it is absent.
  init(
    _ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value, fallback: Value
  ) {
    read = { (object, bounds) throws(DecodingFlaw) in
      guard object.has(field.name) else { return fallback }
      return try Value.read(field, of: object, within: bounds)
    }
    write = { value($0).write(field, to: &$1) }
  }

  /// A field that is left out if its value is `absent`, and read as that if it is absent.
  init(
    _ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value, absent: Value
  ) where Value: Equatable {
    read = RecordField(field, value, fallback: absent).read
    write = {
      let value = value($0)
      if value != absent { value.write(field, to: &$1) }
    }
  }
}
