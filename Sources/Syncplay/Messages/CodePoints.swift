extension String {
  /// The text cut to a number of code points, the unit in which the protocol counts lengths.
  func truncated(toCodePoints maximum: Int) -> String {
    // A code point takes at least one byte, so most texts need no counting.
    guard utf8.count > maximum else { return self }
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: maximum, limitedBy: unicodeScalars.endIndex)
    else { return self }
    return String(self[..<end])
  }

  /// The text cut to a number of bytes, at the end of a whole code point.
  func truncated(toBytes maximum: Int) -> String {
    guard utf8.count > maximum else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(maximum, 0))
    while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }

  /// The text's length in code points.
  var codePointCount: Int { unicodeScalars.count }

  /// The text without leading and trailing white space.
  var strippedOfSpace: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
