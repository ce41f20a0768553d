/// A set of places in an expression, as numbers below 256.
struct Ways: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  var isEmpty: Bool { words == .zero }

  func contains(_ way: Int) -> Bool { words[way >> 6] & (1 << UInt64(way & 63)) != 0 }

  mutating func insert(_ way: Int) { words[way >> 6] |= 1 << UInt64(way & 63) }

  func forEach(_ body: (Int) -> Void) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        body(index << 6 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }
}

/// A set of ASCII characters.
struct ASCIISet: Equatable, Sendable {
  private var words = SIMD2<UInt64>()

  /// The empty set.
  init() {}

  /// The characters that satisfy a condition.
  init(where holds: (Unicode.Scalar) -> Bool) {
    for value in UInt8(0)..<128 where holds(Unicode.Scalar(value)) {
      words[Int(value >> 6)] |= 1 << UInt64(value & 63)
    }
  }

  /// Whether a character, which must be ASCII, is in the set.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    words[Int(scalar.value >> 6) & 1] & (1 << UInt64(scalar.value & 63)) != 0
  }

  mutating func formUnion(_ other: ASCIISet) {
    words |= other.words
  }
}

extension Span<UInt8> {
  /// The character at a place of a UTF-8 text; the place moves behind it.
  ///
  /// Only bounds are checked, because the text of a string is well-formed.
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
