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
