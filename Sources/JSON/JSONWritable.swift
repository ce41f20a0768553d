package import Vocabulary

/// A value that can write itself as JSON.
package protocol JSONWritable {
  /// Writes the value: one string, number, literal, object or array.
  func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
  /// Writes a string.
  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  package func write(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
}

extension Int: JSONWritable {
  /// Writes an integer.
  package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: JSONWritable {
  /// Writes an integer.
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension UInt64: JSONWritable {
  /// Writes an integer.
  package func write(to writer: inout JSONWriter) { writer.literal(description) }
}

extension Double: JSONWritable {
  /// Writes the shortest number that reads back the same; null if JSON has no such number.
  package func write(to writer: inout JSONWriter) {
    guard let millionths else { return writer.literal(isFinite ? description : "null") }
    writer.millionths(millionths)
  }

  /// The number in millionths, if it is exactly that.
  ///
  /// Most times in seconds are, and this way takes a fifth of the time. Below 2³³, millionths are
  /// farther apart than doubles, so each is the shortest decimal of its double. `description`
  /// writes the numbers that need an exponent.
  private var millionths: Int64? {
    guard magnitude < 0x1p33 else { return nil }
    // `rounded` would be a call. If a half cannot be added precisely, the last check fails.
    let scaled = Int64(self * 1_000_000 + (self < 0 ? -0.5 : 0.5))
    guard scaled.magnitude >= 100 || (self == 0 && sign == .plus),
      Double(scaled) / 1_000_000 == self
    else { return nil }
    return scaled
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes an array.
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension Identifier: JSONWritable {
  /// Writes the identifier's text as a string.
  package func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension Instant: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension MediaTime: JSONWritable {
  /// Writes microseconds.
  package func write(to writer: inout JSONWriter) { writer.integer(microseconds) }
}

extension Rate: JSONWritable {
  /// Writes the factor: 1, 1.05, 0.25.
  package func write(to writer: inout JSONWriter) { writer.thousandths(Int64(thousandths)) }
}

extension JSONText: JSONWritable {
  /// Writes the text unchanged, because it is JSON.
  package func write(to writer: inout JSONWriter) { writer.literal(text) }
}
