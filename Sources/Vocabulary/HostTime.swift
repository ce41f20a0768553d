/// A moment on this process's own monotonic clock.
///
/// Only differences mean anything, and only within one process: its zero is arbitrary (on Linux,
/// the machine's start). What peers are told is an ``Instant``.
public struct HostTime: Hashable, Comparable, Sendable {
  /// Microseconds since the clock's arbitrary zero.
  public let microseconds: Int64

  /// The moment that many microseconds after the clock's zero.
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
