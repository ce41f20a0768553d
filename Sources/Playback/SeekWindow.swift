package import Vocabulary

/// The seekable range of live content.
///
/// Its end, the live edge, advances by a second each second.
package struct SeekWindow: Hashable, Sendable {
  /// The earliest seekable position.
  package let start: MediaTime
  /// The live edge.
  package let end: MediaTime
  /// Whether the start advances too, for example if a broadcaster keeps the last two hours.
  package let slides: Bool

  /// Makes a window; `nil` if `start` is negative or `end` lies before it.
  package init?(start: MediaTime, end: MediaTime, slides: Bool) {
    guard start >= .zero, end >= start else { return nil }
    (self.start, self.end, self.slides) = (start, end, slides)
  }

  private init(_ window: SeekWindow, after elapsed: Duration) {
    start = window.slides ? window.start + elapsed : window.start
    end = window.end + elapsed
    slides = window.slides
  }

  /// The window after this time has passed.
  func moved(by elapsed: Duration) -> SeekWindow { SeekWindow(self, after: elapsed) }

  /// The position in the window that is closest to this one.
  func clamped(_ position: MediaTime) -> MediaTime { min(max(position, start), end) }

  /// Whether two players' reports agree within the length of a stream's segments.
  package func isSame(as other: SeekWindow) -> Bool {
    slides == other.slides && (start - other.start).magnitude <= Self.tolerance
      && (end - other.end).magnitude <= Self.tolerance
  }

  /// The live edge advances by whole segments of up to ten seconds (RFC 8216, target durations).
  private static let tolerance = Duration.seconds(10)
}

/// A seek window and when it was reported; indirect, because most timelines have none.
package indirect enum ToldSeekWindow: Hashable, Sendable {
  case told(SeekWindow, at: Instant)

  package func window(at now: Instant) -> SeekWindow {
    switch self {
    case .told(let window, let told): window.moved(by: max(now - told, .zero))
    }
  }
}
