public import Vocabulary

/// A stretch of an item that is not what people came for, such as an advertisement stitched in.
public struct InterstitialRange: Hashable, Sendable {
  /// The first place inside it.
  public var start: MediaTime
  /// The first place behind it.
  public var end: MediaTime

  /// A stretch from `start` up to, and without, `end`.
  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = end
  }
}

/// The interstitial ranges of one item: AVFoundation's `interstitialTimeRanges`.
///
/// They belong to the item's own time, so they are the same for everybody who watches it.
public struct Interstitials: Hashable, Sendable {
  /// In order, none empty, none over another.
  public let ranges: [InterstitialRange]

  /// How long before a range a participant may say that it is inside, and how long after its end
  /// that it still is: players stand up to a quarter second apart, and words take a slow link's
  /// half second to arrive.
  package static let tolerance = Duration.seconds(1)

  /// No ranges.
  public init() {
    ranges = []
  }

  /// These ranges; `nil` unless each ends behind its start and begins at or behind the end of the
  /// one before, the first at or behind the item's beginning.
  public init?(_ ranges: [InterstitialRange]) {
    var last = MediaTime.zero
    for range in ranges {
      guard range.start >= last, range.end > range.start else { return nil }
      last = range.end
    }
    self.ranges = ranges
  }

  /// Whether there are none.
  public var isEmpty: Bool { ranges.isEmpty }

  /// Whether all lie within an item of this length; an unknown length holds any.
  package func fit(in duration: Duration?) -> Bool {
    guard let duration, let last = ranges.last else { return true }
    return last.end <= .zero + duration
  }

  /// The range that a place lies in.
  ///
  /// - Parameter tolerance: how far before the range's start a place still counts.
  package func range(
    at place: MediaTime, tolerance: Duration = .zero
  ) -> InterstitialRange? {
    ranges.first { $0.start - tolerance <= place && place < $0.end }
  }
}
