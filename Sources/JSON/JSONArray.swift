/// A view of an array in a parsed text; it lives no longer than the text.
package struct JSONArray: ~Escapable {
  private let value: JSONValue

  @_lifetime(copy value)
  init(value: borrowing JSONValue) {
    self.value = copy value
  }

  /// How many elements the array has.
  package var count: Int {
    // The tape knows counts below 2^24; a line that long does not reach the parser.
    Int(value.tape.words[value.index] >> 32 & 0xFF_FFFF)
  }

  /// What the body makes of each element, in order.
  package func map<T>(
    _ body: (JSONValue) throws(DecodingFlaw) -> T
  ) throws(DecodingFlaw) -> [T] {
    var results: [T] = []
    results.reserveCapacity(count)
    try forEach { (element) throws(DecodingFlaw) in
      results.append(try body(element))
    }
    return results
  }

  /// Calls the body with each element, in order.
  package func forEach(
    _ body: (JSONValue) throws(DecodingFlaw) -> Void
  ) throws(DecodingFlaw) {
    let contents = value.tape.contents(of: value.index)
    var index = contents.lowerBound
    while index < contents.upperBound {
      try body(JSONValue(tape: value.tape, index: index))
      index = value.tape.end(of: index)
    }
  }
}
