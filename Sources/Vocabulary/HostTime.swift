/// A moment on this process's own monotonic clock.
///
/// It never steps and means nothing to another process: peers exchange ``Instant``, and a client
/// translates between the two with an estimate of the offset. Mixing them up does not compile.
public struct HostTime: Hashable, Comparable, Sendable {
  /// Microseconds since an arbitrary start of the clock.
  public let microseconds: Int64

  /// The moment that many microseconds after the clock's start.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Orders moments by time.
  public static func < (left: HostTime, right: HostTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment a duration later; an overflow stops at the end of representable time.
  public static func + (time: HostTime, duration: Duration) -> HostTime {
    HostTime(microseconds: time.microseconds.addingClamped(duration.microseconds))
  }

  /// The moment a duration earlier.
  public static func - (time: HostTime, duration: Duration) -> HostTime {
    HostTime(microseconds: time.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The time from the right moment to the left one; negative if the left one is earlier.
  public static func - (left: HostTime, right: HostTime) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }
}
