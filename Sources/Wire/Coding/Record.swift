import JSON
import Vocabulary

/// A value with fields that are declared once, for reading and for writing.
protocol Record: Fields {
  static var layout: Layout<Self> { get }
}

extension Record {
  func encodeFields(into writer: inout JSONWriter) { Self.layout.write(self, to: &writer) }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self = try Self.layout.read(object, bounds)
  }
}

/// Writes the fields of a value into the open object.
typealias Writing<Root> = @Sendable (Root, inout JSONWriter) -> Void

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
    _ make: @escaping @Sendable (repeat each Value) -> Root, _ parts: repeat Part<Root, each Value>
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

/// A field of a record, and where the record has its value.
struct Part<Root, Value>: Sendable {
  fileprivate let read: Reading<Value>
  fileprivate let write: Writing<Root>
}

extension Part where Value: FieldValue {
  init(_ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value) {
    read = { (object, bounds) throws(DecodingFlaw) in
      try Value.read(field, of: object, within: bounds)
    }
    write = { value($0).write(field, to: &$1) }
  }

  /// A field that may be absent, but is always written.
  init(
    _ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value, fallback: Value
  ) {
    read = { (object, bounds) throws(DecodingFlaw) in
      guard object.has(field.name) else { return fallback }
      return try Value.read(field, of: object, within: bounds)
    }
    write = { value($0).write(field, to: &$1) }
  }

  /// A field that is absent if it has this value.
  init(
    _ field: Field<Value>, _ value: @escaping @Sendable (Root) -> Value, absent: Value
  ) where Value: Equatable {
    read = Part(field, value, fallback: absent).read
    write = {
      let value = value($0)
      if value != absent { value.write(field, to: &$1) }
    }
  }
}
