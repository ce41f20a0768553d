/// Some of the 128 characters of ASCII.
struct ASCIISet: Equatable, Sendable {
  private var words = SIMD2<UInt64>()

  /// None of them.
  init() {}

  /// Those that something holds for.
  init(where holds: (Unicode.Scalar) -> Bool) {
    for value in UInt8(0)..<128 where holds(Unicode.Scalar(value)) {
      words[Int(value >> 6)] |= 1 << UInt64(value & 63)
    }
  }

  /// Whether a character is one of them; it has to be of ASCII.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    words[Int(scalar.value >> 6) & 1] & (1 << UInt64(scalar.value & 63)) != 0
  }

  mutating func formUnion(_ other: ASCIISet) {
    words |= other.words
  }
}
