// How many bytes a value takes as JSON at most. A bound of what has to be sent or stored is checked
// with it where encoding the value would cost more than the answer.

extension String {
  /// The bytes that the text takes as a JSON string, with its quotes; at most 3 times too many,
  /// for texts of line breaks.
  package var byteBound: Int {
    let span = utf8.span
    var bytes = span.count + 2
    for index in span.indices {
      switch span[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += 1
      // "\u0000" has six bytes instead of one.
      case 0..<0x20: bytes += 5
      default: break
      }
    }
    return bytes
  }
}

extension Identifier {
  /// The bytes that the identifier takes as a JSON string, with its quotes.
  package var byteBound: Int { text.byteBound }
}

extension JSONText {
  /// The bytes that the text takes.
  package var byteBound: Int { text.utf8.count }
}

extension FixedWidthInteger {
  /// The bytes that the number takes as a decimal.
  package var byteBound: Int {
    var bytes = self < 0 ? 2 : 1
    var rest = magnitude
    while rest > 9 {
      rest /= 10
      bytes += 1
    }
    return bytes
  }
}
