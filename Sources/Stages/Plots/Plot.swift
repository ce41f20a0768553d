/// A picture of how far players are apart over time: a line a player, and a mark for each press.
///
/// ``svg`` draws it.
package struct Plot: Equatable, Sendable {
  /// A player's offset from the middle of all at a moment.
  package struct Point: Equatable, Sendable {
    package var seconds: Double
    /// How far the player is ahead, in milliseconds.
    package var offset: Double
  }

  /// A player's line.
  package struct Line: Equatable, Sendable {
    package var name: String
    /// The parts during which its position was known.
    package var stretches: [[Point]]
  }

  /// What was pressed.
  package struct Mark: Equatable, Sendable {
    package var seconds: Double
    package var text: String
  }

  package var title: String
  package var lines: [Line]
  /// In order of time.
  package var marks: [Mark]

  /// The picture shows at least this many milliseconds in both directions, so that a quiet run does
  /// not look like a wild one.
  private static let leastReach = 10.0
  /// The share of all points that the picture shows, in percent; a seek of seconds would otherwise
  /// flatten everything else.
  private static let shownShare = 95
  /// The room above the points of that share.
  private static let margin = 1.3

  private var points: [Point] { lines.flatMap { $0.stretches.joined() } }

  /// From the first point to the last, in seconds.
  package var span: ClosedRange<Double> {
    let times = points.map(\.seconds)
    guard let first = times.min(), let last = times.max() else { return 0...1 }
    return first...last
  }

  /// The milliseconds that the picture shows in both directions.
  package var reach: Double {
    let shown = PlayheadSpreads.percentile(points.map { abs($0.offset) }, Self.shownShare) ?? 0
    return max(shown * Self.margin, Self.leastReach)
  }

  /// The largest offset in either direction, in milliseconds.
  package var farthest: Double { points.map { abs($0.offset) }.max() ?? 0 }
}

/// An axis of a plot: a range of numbers on a range of the picture, with ticks at round numbers.
package struct PlotScale: Equatable, Sendable {
  private let low: Double
  private let high: Double
  /// Where the lowest and the highest number are in the picture.
  private let start: Double
  private let end: Double
  /// The distance between ticks: 1, 2 or 5 times a power of ten.
  package let step: Double

  /// Makes an axis with at most this many steps between its ticks; an empty range gets a width of 1.
  package init(_ range: ClosedRange<Double>, from start: Double, to end: Double, steps: Int) {
    low = range.lowerBound
    high = range.upperBound > low ? range.upperBound : low + 1
    self.start = start
    self.end = end
    step = Self.step(atLeast: (high - low) / Double(max(steps, 1)))
  }

  /// What a quotient may be off by, so that the ends of the range are not lost: 0.3 / 0.1 is less
  /// than 3.
  private static let rounding = 1e-9

  /// The place of a number in the picture.
  package func place(of number: Double) -> Double {
    start + (number - low) / (high - low) * (end - start)
  }

  /// The multiples of the step within the range, in order.
  package var ticks: [Double] {
    let first = Int((low / step - Self.rounding).rounded(.up))
    let last = Int((high / step + Self.rounding).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }

  /// A tick's number with as many digits as the step needs.
  package func text(of tick: Double) -> String {
    let count = (tick / step).rounded()
    var (unit, digits) = (step, 0)
    while unit < 1 { (unit, digits) = (unit * 10, digits + 1) }
    // In whole units, because a sum of tenths is not exact.
    let number = Int((count * unit).rounded())
    let text = String(number.magnitude)
    let padded = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
    let whole = padded.dropLast(digits)
    return (number < 0 ? "−" : "") + whole + (digits > 0 ? "." + padded.suffix(digits) : "")
  }

  private static func step(atLeast least: Double) -> Double {
    var power = 1.0
    while power > least { power /= 10 }
    while power * 10 <= least { power *= 10 }
    return [1, 2, 5].map { $0 * power }.first { $0 >= least } ?? 10 * power
  }
}
