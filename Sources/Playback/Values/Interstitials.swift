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

/// The interstitial ranges of one item: AVFoundation's `interstitialTimeRanges`.
/// The interstitial ranges of one item, like AVFoundation's `interstitialTimeRanges`.
///
/// They are part of the item's timeline, so everyone who watches it sees them at the same position.
  /// In order, none empty, none over another.
  /// Sorted, none empty, without overlaps.

  /// How long before a range a participant may say that it is inside, and how long after its end
  /// How long before a range begins, and after it ends, a participant may report that it is inside:
  /// players are up to 0.25 s apart, and a message takes up to 0.5 s on a slow link.

  /// No ranges.
    ranges = []
  }

  /// These ranges; `nil` unless each ends behind its start and begins at or behind the end of the
  /// Makes ranges; `nil` unless they are sorted, not empty, not negative and do not overlap.
    var last = MediaTime.zero
    for range in ranges {
      guard range.start >= last, range.end > range.start else { return nil }
      last = range.end
    }
    self.ranges = ranges
  }

  /// Whether there are none.
  /// Whether there are no ranges.

  /// Whether all lie within an item of this length; an unknown length holds any.
  /// Whether all ranges lie within an item of this duration; any range fits an unknown duration.
    guard let duration, let last = ranges.last else { return true }
    return last.end <= .zero + duration
  }

  /// The range that a place lies in.
  /// The range that contains a position.
  ///
  /// - Parameter tolerance: how far before a range's start a position still counts as inside.
    at place: MediaTime, tolerance: Duration = .zero
  ) -> InterstitialRange? {
    ranges.first { $0.start - tolerance <= place && place < $0.end }
  }
}
