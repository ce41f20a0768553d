extension Span<UInt8> {
  /// The character at a place of a text in UTF-8, and the place behind it.
  ///
  /// The text of a string is well-formed: nothing here is checked but the bounds.
  func scalar(at place: inout Int) -> Unicode.Scalar {
    let lead = self[place]
    place += 1
    guard lead >= 0x80 else { return Unicode.Scalar(lead) }
    let followers = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    var value = UInt32(lead) & (0x3F >> UInt32(followers))
    for _ in 0..<followers where place < count {
      value = value << 6 | UInt32(self[place] & 0x3F)
      place += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
