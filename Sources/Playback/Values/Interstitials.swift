public import Vocabulary

/// A range of an item that is not the main content, such as an advertisement.
public struct InterstitialRange: Hashable, Sendable {
  /// The first position inside.
  public var start: MediaTime
  /// The first position after it.
  public var end: MediaTime

  /// Makes a range from `start` up to, but excluding, `end`.
  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = end
  }
}

/// The interstitial ranges of one item, like AVFoundation's `interstitialTimeRanges`.
///
/// They are part of the item's timeline, so everyone who watches it sees them at the same position.
public struct Interstitials: Hashable, Sendable {
  /// Sorted, none empty, without overlaps.
  public let ranges: [InterstitialRange]

  /// How long before a range begins, and after it ends, a participant may report that it is inside:
  /// players are up to 0.25 s apart, and a message takes up to 0.5 s on a slow link.
  package static let tolerance = Duration.seconds(1)

  /// No ranges.
  public init() {
    ranges = []
  }

  /// Makes ranges; `nil` if one is empty or negative, or they are not sorted, or overlap.
  public init?(_ ranges: [InterstitialRange]) {
    var last = MediaTime.zero
    for range in ranges {
      guard range.start >= last, range.end > range.start else { return nil }
      last = range.end
    }
    self.ranges = ranges
  }

  /// Whether there are no ranges.
  public var isEmpty: Bool { ranges.isEmpty }

  /// Whether all ranges lie within an item of this duration; any range fits an unknown duration.
  package func fit(in duration: Duration?) -> Bool {
    guard let duration, let last = ranges.last else { return true }
    return last.end <= .zero + duration
  }

  /// The range that contains a position.
  ///
  /// - Parameter tolerance: how far before a range's start a position still counts as inside.
  package func range(
    at position: MediaTime, tolerance: Duration = .zero
  ) -> InterstitialRange? {
    ranges.first { $0.start - tolerance <= position && position < $0.end }
  }
}
