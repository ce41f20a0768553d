extension Double {
  /// The double nearest to a decimal fraction; the even one of two that are as near.
  ///
  /// Up to 2^53 one division is right by itself (Clinger, *How to Read Floating Point Numbers
  /// Accurately*, 1990). Beyond, the quotient has 62 bits or more, and whether there is a rest.
  ///
  /// - Parameters:
  ///   - digits: the number without its point.
  ///   - places: how many of them stand behind it, up to 19.
  init(_ digits: UInt64, dividedByTenToThe places: Int) {
    precondition((0...19).contains(places), "a power of ten that fits a word")
    // Exact: of 10^19 all but nineteen bits are 5^19, which has 45.
    let power = Self.powersOfTen[places]
    guard digits > 1 << 53 else {
      self = Double(digits) / Double(power)
      return
    }
    let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
    let (dividend, divisor) = (digits << shift, power << powerShift)
    let (quotient, rest) = divisor.dividingFullWidth((dividend >> 1, dividend << 63))
    let significand = Double(rest == 0 ? quotient : quotient | 1)
    self = Double(sign: .plus, exponent: powerShift - shift - 63, significand: significand)
  }

  private static let powersOfTen = (0...19).map { place in
    (0..<place).reduce(1 as UInt64) { power, _ in power * 10 }
  }
}
