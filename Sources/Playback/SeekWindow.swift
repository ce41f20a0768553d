package import Vocabulary

/// The part of live content that can be gone to, and whether its start moves on with its end.
///
/// Its end is the live edge, which moves on a second each second.
package struct SeekWindow: Equatable, Sendable {
  /// The earliest place there is.
  package let start: MediaTime
  /// The live edge.
  package let end: MediaTime
  /// Whether the earliest place moves on too, as where a broadcaster keeps the last two hours;
  /// otherwise everything is kept from `start` on.
  package let slides: Bool

  /// From `start` to `end`; `nil` unless that is a stretch of an item.
  package init?(start: MediaTime, end: MediaTime, slides: Bool) {
    guard start >= .zero, end >= start else { return nil }
    (self.start, self.end, self.slides) = (start, end, slides)
  }

  private init(_ window: SeekWindow, after elapsed: Duration) {
    start = window.slides ? window.start + elapsed : window.start
    end = window.end + elapsed
    slides = window.slides
  }

  /// The window that long after it was like this.
  func moved(by elapsed: Duration) -> SeekWindow { SeekWindow(self, after: elapsed) }

  /// The place inside that is nearest.
  func clamped(_ place: MediaTime) -> MediaTime { min(max(place, start), end) }

  /// Whether two players say the same, as far as segments of a stream let them.
  package func isSame(as other: SeekWindow) -> Bool {
    slides == other.slides && (start - other.start).magnitude <= Self.tolerance
      && (end - other.end).magnitude <= Self.tolerance
  }

  /// The edge moves by whole segments, which take up to ten seconds (RFC 8216's target durations).
  private static let tolerance = Duration.seconds(10)
}
