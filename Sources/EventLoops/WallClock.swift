internal import CLibuv
internal import Glibc
package import Vocabulary

/// The time of day: it may step, the loop's time never does.
package enum WallClock {
  /// The time of day as an instant; the epoch, should the system have none.
  package static func read() -> Instant {
    var time = uv_timeval64_t()
    guard unsafe uv_gettimeofday(&time) == 0 else { return Instant(microseconds: 0) }
    return Instant(microseconds: time.tv_sec * 1_000_000 + Int64(time.tv_usec))
  }

  /// How far the clock on the wall is ahead of UTC at an instant, by the zone the system is set to.
  package static func offset(at instant: Instant) -> Duration {
    var seconds = time_t(instant.microseconds / 1_000_000)
    var parts = unsafe tm()
    // Only this reads the zone anew where it was changed.
    tzset()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return .zero }
    return unsafe .seconds(parts.tm_gmtoff)
  }
}
