/// A moment in the group's common time, the time every timeline is anchored in.
///
/// The server makes it: wall clock read once at start, plus monotonic time since. It never steps
/// while a server runs, so differences of instants are true durations. Clients translate it to
/// their own monotonic clock with an estimate of the offset.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z as the server counts them.
  public let microseconds: Int64

  /// The instant that many microseconds after the epoch.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Orders instants by time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The instant a duration later; an overflow stops at the end of representable time.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.addingClamped(duration.microseconds))
  }

  /// The instant a duration earlier.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The time from the right instant to the left one; negative if the left one is earlier.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }

  /// The last multiple of a step, counted from the epoch, that is not later.
  package func roundedDown(to step: Duration) -> Instant {
    let step = max(step.microseconds, 1)
    let rest = microseconds % step
    return Instant(microseconds: microseconds - (rest < 0 ? rest + step : rest))
  }

  /// The earlier of two instants; `nil` is one that never comes.
  package static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }
}
