import JSON
import Vocabulary

/// Reads a value from an object's fields.
typealias Reading<Root> =
  @Sendable (JSONObject, FieldBounds) throws(DecodingFlaw) -> Root

/// Writes a value's fields into the open object.
typealias Writing<Root> = @Sendable (Root, inout JSONWriter) -> Void

/// The JSON coding of one case of an enumeration: its name and its fields in the order in which
/// they are written.
///
/// The closures are created where the case is declared and all types are known, so coding a case
/// allocates nothing and takes two indirect calls. Parameter packs instead of the initializers for
/// one to five fields took 60 ns more per event, because their elements are not specialized.
struct Case<Root: Tagged, Values>: AnyCase {
  let name: String
  let read: Reading<Root>
  private let writeFields: @Sendable (Values, inout JSONWriter) -> Void

  /// Writes the case's name and fields.
  func write(_ values: Values, to writer: inout JSONWriter) {
    assert(Root.cases[name] != nil, "'\(name)' is not in its table, so it could not be read")
    writer.field(Root.tag, name)
    writeFields(values, &writer)
  }

  /// Writes the case's name, the head of a request, and the case's fields.
  func write(_ values: Values, _ head: RequestHead, to writer: inout JSONWriter) {
    assert(Root.cases[name] != nil, "'\(name)' is not in its table, so it could not be read")
    writer.field(Root.tag, name)
    writer.field("id", head.id)
    writer.field("session", head.session)
    writeFields(values, &writer)
  }
}

/// The fields of a request between its type and its own fields.
struct RequestHead {
  let id: RequestID
  var session: SessionID?
}

extension Case {
  /// A case without fields.
  init(_ name: String, _ value: Root) where Values == Void {
    self.name = name
    read = { (_, _) throws(DecodingFlaw) in value }
    writeFields = { _, _ in }
  }

  /// A case with one field.
  init(
    _ name: String, _ make: @escaping @Sendable (Values) -> Root, _ field: Field<Values>
  ) where Values: FieldValue {
    self.name = name
    read = { (object, bounds) throws(DecodingFlaw) in
      make(try Values.read(field, of: object, within: bounds))
    }
    writeFields = { $0.write(field, to: &$1) }
  }

  /// A case with two fields.
  init<A: FieldValue, B: FieldValue>(
    _ name: String, _ make: @escaping @Sendable (A, B) -> Root, _ a: Field<A>, _ b: Field<B>
  ) where Values == (A, B) {
    self.name = name
    read = { (object, bounds) throws(DecodingFlaw) in
      make(
        try A.read(a, of: object, within: bounds), try B.read(b, of: object, within: bounds))
    }
    writeFields = {
      $0.0.write(a, to: &$1)
      $0.1.write(b, to: &$1)
    }
  }

  /// A case with three fields.
  init<A: FieldValue, B: FieldValue, C: FieldValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C) -> Root, _ a: Field<A>, _ b: Field<B>,
    _ c: Field<C>
  ) where Values == (A, B, C) {
    self.name = name
    read = { (object, bounds) throws(DecodingFlaw) in
      make(
        try A.read(a, of: object, within: bounds), try B.read(b, of: object, within: bounds),
        try C.read(c, of: object, within: bounds))
    }
    writeFields = {
      $0.0.write(a, to: &$1)
      $0.1.write(b, to: &$1)
      $0.2.write(c, to: &$1)
    }
  }

  /// A case with four fields.
  init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D) -> Root, _ a: Field<A>, _ b: Field<B>,
    _ c: Field<C>, _ d: Field<D>
  ) where Values == (A, B, C, D) {
    self.name = name
    read = { (object, bounds) throws(DecodingFlaw) in
      make(
        try A.read(a, of: object, within: bounds), try B.read(b, of: object, within: bounds),
        try C.read(c, of: object, within: bounds), try D.read(d, of: object, within: bounds))
    }
    writeFields = {
      $0.0.write(a, to: &$1)
      $0.1.write(b, to: &$1)
      $0.2.write(c, to: &$1)
      $0.3.write(d, to: &$1)
    }
  }

  /// A case with five fields.
  init<A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue, E: FieldValue>(
    _ name: String, _ make: @escaping @Sendable (A, B, C, D, E) -> Root, _ a: Field<A>,
    _ b: Field<B>, _ c: Field<C>, _ d: Field<D>, _ e: Field<E>
  ) where Values == (A, B, C, D, E) {
    self.name = name
    read = { (object, bounds) throws(DecodingFlaw) in
      make(
        try A.read(a, of: object, within: bounds), try B.read(b, of: object, within: bounds),
        try C.read(c, of: object, within: bounds), try D.read(d, of: object, within: bounds),
        try E.read(e, of: object, within: bounds))
    }
    writeFields = {
      $0.0.write(a, to: &$1)
      $0.1.write(b, to: &$1)
      $0.2.write(c, to: &$1)
      $0.3.write(d, to: &$1)
      $0.4.write(e, to: &$1)
    }
  }
}

extension Case where Values == Void {
  /// Writes the case's name.
  func write(to writer: inout JSONWriter) { write((), to: &writer) }

  /// Writes the case's name and the head of a request.
  func write(_ head: RequestHead, to writer: inout JSONWriter) { write((), head, to: &writer) }
}

// MARK: Tables

/// A case with any fields.
protocol AnyCase<Root>: Sendable {
  associatedtype Root
  var name: String { get }
  var read: Reading<Root> { get }
}

/// An enumeration whose cases are identified by their name in one field.
protocol Tagged: Sendable {
  /// The field with the name, such as `event`.
  static var tag: String { get }
  /// All cases; a ``Case`` that is missing here cannot be written in a debug build.
  static var cases: CaseTable<Self> { get }
}

/// The cases of an enumeration, by name.
struct CaseTable<Root>: Sendable {
  /// In the order of declaration.
  private(set) var names: [String] = []
  private var readings: [String: Reading<Root>] = [:]

  init(_ cases: any AnyCase<Root>...) {
    for one in cases { insert(one.name, one.read) }
  }

  /// Reads the case with this name.
  subscript(name: String) -> Reading<Root>? { readings[name] }

  /// Adds the cases of an enumeration that is wrapped in this one.
  ///
  /// - Parameter wrap: wraps a case, and reads the fields around it.
  mutating func insert<Part>(
    _ part: CaseTable<Part>,
    _ wrap: @escaping @Sendable (Part, JSONObject, FieldBounds) throws(DecodingFlaw) -> Root
  ) {
    for name in part.names {
      guard let read = part[name] else { continue }
      insert(name) { (object, bounds) throws(DecodingFlaw) in
        try wrap(try read(object, bounds), object, bounds)
      }
    }
  }

  /// Adds a case, or replaces the one with this name.
  mutating func insert(_ name: String, _ read: @escaping Reading<Root>) {
    if readings.updateValue(read, forKey: name) == nil { names.append(name) }
  }
}

extension Tagged {
  /// Reads the case that the object names.
  ///
  /// - Throws: `outOfRange` with all names, if there is no such case.
  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let read = Self.cases[try object.string(Self.tag, maximum: .max)] else {
      let names = Self.cases.names.map { "'\($0)'" }.joined(separator: ", ")
      throw object.outOfRange(Self.tag, allowed: "one of \(names)")
    }
    self = try read(object, bounds)
  }
}
