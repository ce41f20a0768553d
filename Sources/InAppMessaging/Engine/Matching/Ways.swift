/// The places in an expression that are reached: a set of numbers below 256.
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
