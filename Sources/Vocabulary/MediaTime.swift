/// A place in a media item, in whole microseconds from its start.
///
/// Integers, not seconds as `Double`: two peers that compute the same position get the same bits.
public struct MediaTime: Hashable, Comparable, Sendable {
  /// Microseconds from the start of the item.
  public let microseconds: Int64

  /// The place that many microseconds into the item.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The start of the item.
  public static let zero = MediaTime(microseconds: 0)

  /// The place that many seconds into the item, rounded to the nearest microsecond.
  ///
  /// Values beyond the range of `Int64` microseconds, and NaN, clamp to its ends and to zero.
  public static func seconds(_ seconds: Double) -> MediaTime {
    MediaTime(microseconds: Int64(clamping: seconds * 1_000_000))
  }

  /// The place in seconds, for players that count so.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  /// Orders places from start to end.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The place that much later in the item.
  public static func + (time: MediaTime, duration: Duration) -> MediaTime {
    MediaTime(microseconds: time.microseconds.addingClamped(duration.microseconds))
  }

  /// The place that much earlier in the item.
  public static func - (time: MediaTime, duration: Duration) -> MediaTime {
    MediaTime(microseconds: time.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The length of media from the right place to the left one.
  public static func - (left: MediaTime, right: MediaTime) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }
}
