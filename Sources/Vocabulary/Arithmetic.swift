extension Duration {
  /// The whole microseconds in this duration, rounded towards zero; clamps beyond `Int64`.
  ///
  /// It takes one division; ``components`` takes four times as long, and each command computes
  /// deadlines.
  public var microseconds: Int64 {
    // For less than nine seconds, a division of 64 bits suffices.
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
  /// The sum, clamped to `Int64`: numbers from a peer must never trap.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, clamped to `Int64`.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }

  /// `self * factor / divisor`, with the product in 128 bits, clamped to `Int64`.
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

/// A small seeded generator, for orders and jitter that must be reproducible.
///
/// Sebastiano Vigna's SplitMix64 (public domain, 2015). Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
  private var state: UInt64

  /// A generator with that seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next of 2^64 equally likely numbers.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Array {
  /// Reserves room for one more element and an eighth of the current count.
  ///
  /// An array doubles its room when it grows. With thousands of arrays that stay small, a third of
  /// the memory would be empty.
  @inlinable public mutating func makeRoom() {
    guard count == capacity else { return }
    reserveCapacity(count + count / 8 + 1)
  }

  /// Frees the storage of an empty array, which would keep it otherwise.
  @inlinable public mutating func giveBackRoom() {
    if isEmpty { self = [] }
  }
}
