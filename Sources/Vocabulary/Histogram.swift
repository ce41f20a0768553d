/// How often something took how long, in ranges whose ends are fixed (a histogram of OpenMetrics 1.0,
/// 5.3).
public struct Histogram: Equatable, Sendable {
  /// The ends of the ranges, which belong to them; what is longer than the last is only counted.
  public let bounds: [Duration]
  /// How often it was in each range, and behind the last one.
  public private(set) var counts: [Int]
  /// All lengths together.
  public private(set) var sum = Duration.zero

  /// A histogram with these ends, in rising order.
  public init(bounds: [Duration]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// How often there was anything.
  public var count: Int { counts.reduce(0, +) }

  /// Notes a length.
  public mutating func note(_ length: Duration) {
    // Ranges are few, so that looking through them costs less than a search.
    counts[bounds.firstIndex { length <= $0 } ?? bounds.count] += 1
    sum += length
  }
}
