extension OutputSpan<UInt8> {
  /// Appends a whole number's digits, with zeros before them if there are fewer than so many.
  ///
  /// - Parameters:
  ///   - number: of twenty digits at most; the span has room for them.
  ///   - minimum: at least one.
  mutating func append(digitsOf number: UInt64, atLeast minimum: Int = 1) {
    if number < 10, minimum == 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    var minimum = minimum
    var block = number
    if number >= Self.blockEnd {
      append(digitsOf: number / Self.blockEnd, atLeast: Swift.max(minimum - Self.blockDigits, 1))
      (block, minimum) = (number % Self.blockEnd, Self.blockDigits)
    }
    append(block: block, atLeast: minimum)
  }

  /// Appends what stands behind a point: so many places, without the zeros at the end, but one digit
  /// at least.
  mutating func append(fraction: UInt64, places: Int) {
    var (fraction, places) = (fraction, places)
    while places > 1, fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    append(digitsOf: fraction, atLeast: places)
  }

  /// Appends the digits of a number below 10⁸, the first one first.
  ///
  /// As a fraction of 10⁷ it has its first digit before the binary point; each multiplication by ten
  /// moves the next one there. What the fraction is rounded up by grows to 10¹⁵ in 2⁵⁷, a hundredth
  /// of the last digit.
  private mutating func append(block number: UInt64, atLeast minimum: Int) {
    var rest = number &* Self.tenMillionth
    var digitsDue = minimum
    for digitsLeft in (1...Self.blockDigits).reversed() {
      let digit = UInt8(truncatingIfNeeded: rest >> Self.fractionBits)
      if digit > 0 || digitsLeft <= digitsDue {
        append(UInt8(ascii: "0") &+ digit)
        digitsDue = digitsLeft
      }
      rest = (rest & Self.fractionMask) &* 10
    }
  }

  private static var blockDigits: Int { 8 }
  private static var blockEnd: UInt64 { 100_000_000 }
  private static var fractionBits: UInt64 { 57 }
  private static var fractionMask: UInt64 { 1 << fractionBits - 1 }
  private static var tenMillionth: UInt64 { (1 << fractionBits) / 10_000_000 + 1 }
}
