extension Duration {
  /// The whole microseconds in this duration, rounded towards zero; clamps beyond `Int64`.
  ///
  /// One division: ``components`` takes four times as long, and each command asks for some deadlines.
  public var microseconds: Int64 {
    // Of less than nine seconds, one of 64 bits.
    if let few = Int64(exactly: attoseconds) { return few / 1_000_000_000_000 }
    return Int64(clamping: attoseconds / 1_000_000_000_000)
  }

  /// This duration in seconds, for ratios and display.
  public var inSeconds: Double { Double(microseconds) / 1_000_000 }

  /// This duration in milliseconds, for display.
  public var inMilliseconds: Double { Double(microseconds) / 1_000 }

  /// The value inside `range` that is nearest to this one.
  public func clamped(to range: ClosedRange<Duration>) -> Duration {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

extension Int64 {
  /// The sum, stopped at the ends of `Int64`: numbers from a peer must never trap.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, stopped at the ends of `Int64`.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }

  /// `self * factor / divisor`, with the product in 128 bits, stopped at the ends of `Int64`.
  func scaled(by factor: Int64, over divisor: Int64) -> Int64 {
    Int64(clamping: Int128(self) * Int128(factor) / Int128(divisor))
  }

  /// The nearest `Int64`; NaN is zero.
  init(clamping value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 9.2e18 {
      self = .max
    } else if value <= -9.2e18 {
      self = .min
    } else {
      self = Int64(value.rounded())
    }
  }
}
