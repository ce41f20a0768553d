/// A large value in memory of its own: to copy it is to copy a reference, until one is changed.
///
/// A dictionary copies a value out to read one field of it, and keeps free places as large as its
/// values. Measured with a session of 968 bytes: with the values in place a pause took 7.4 µs, of
/// which 2.8 µs went into copying, and each session took 600 bytes more.
@dynamicMemberLookup
struct Boxed<Value: Sendable>: Sendable {
  /// Always one: an array is the library's own box.
  private var values: [Value]

  init(_ value: Value) {
    values = [value]
  }

  var value: Value {
    _read { yield values[0] }
    _modify { yield &values[0] }
  }

  // Inlined, so that the compiler sees which member it is and no key path is ever made.

  subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
    @inline(__always) get { values[0][keyPath: member] }
  }

  subscript<Member>(dynamicMember member: WritableKeyPath<Value, Member>) -> Member {
    @inline(__always) get { values[0][keyPath: member] }
    @inline(__always) _modify { yield &values[0][keyPath: member] }
  }
}
