extension String {
  /// The text up to that many code points, in which the protocol counts all its lengths.
  func truncated(toCodePoints maximum: Int) -> String {
    // No code point takes less than a byte, so that most texts need not be counted.
    guard utf8.count > maximum else { return self }
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: maximum, limitedBy: unicodeScalars.endIndex)
    else { return self }
    return String(self[..<end])
  }

  /// The text up to so many bytes, ending with a whole code point.
  func truncated(toBytes maximum: Int) -> String {
    guard utf8.count > maximum else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(maximum, 0))
    while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }

  /// How long the text is, in code points.
  var codePointCount: Int { unicodeScalars.count }

  /// The text without white space at its ends.
  var strippedOfSpace: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
