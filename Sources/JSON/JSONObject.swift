/// A view of an object in a parsed text; it lives no longer than the text.
///
/// Fields are asked for by name in any order; those nobody asks for are ignored, and of two with
/// the same name the first counts. A field that is null counts as absent.
package struct JSONObject: ~Escapable {
  let value: JSONValue

  @_lifetime(copy value)
  init(value: borrowing JSONValue) {
    self.value = copy value
  }

  /// Whether the field is there, and not null.
  package func has(_ name: String) -> Bool {
    optionalValue(name) != nil
  }

  /// The field's value, or nil if it is absent or null.
  @_lifetime(copy self)
  package func optionalValue(_ name: String) -> JSONValue? {
    guard let index = value.tape.value(of: name, in: value.index) else { return nil }
    guard value.tape.letter(at: index) != UInt8(ascii: "n") else { return nil }
    return JSONValue(tape: value.tape, index: index)
  }

  /// The field's value, which must be there.
  @_lifetime(copy self)
  package func value(_ name: String) throws(DecodingFlaw) -> JSONValue {
    guard let found = optionalValue(name) else {
      throw .missing(field: value.tape.path(to: value.index, then: name))
    }
    return found
  }

  /// How many fields the object has.
  package var count: Int {
    Int(value.tape.words[value.index] >> 32 & 0xFF_FFFF)
  }

  /// Calls the body with the name and the value of each field, in order, nulls included.
  ///
  /// - Throws: what the body throws, and `tooLong` at a name of more than `maximum` bytes.
  package func forEachField(
    nameMaximum maximum: Int, _ body: (String, JSONValue) throws(DecodingFlaw) -> Void
  ) throws(DecodingFlaw) {
    let tape = value.tape
    let contents = tape.contents(of: value.index)
    var index = contents.lowerBound
    while index < contents.upperBound {
      let name = tape.string(at: index)
      guard name.count <= maximum else {
        throw .tooLong(field: tape.path(to: value.index), limit: maximum)
      }
      try body(value.text(name), JSONValue(tape: tape, index: index + 1))
      index = tape.end(of: index + 1)
    }
  }

  /// The flaw of a field whose value is not among those allowed.
  package func outOfRange(_ name: String, allowed: String) -> DecodingFlaw {
    .outOfRange(field: value.tape.path(to: value.index, then: name), allowed: allowed)
  }
}
