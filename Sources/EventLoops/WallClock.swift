internal import CLibuv
package import Vocabulary

/// The time of day, to be read once when a process starts: it may step, the loop's time never does.
package enum WallClock {
  /// The time of day as an instant; the epoch, should the system have none.
  package static func read() -> Instant {
    var time = uv_timeval64_t()
    guard unsafe uv_gettimeofday(&time) == 0 else { return Instant(microseconds: 0) }
    return Instant(microseconds: time.tv_sec * 1_000_000 + Int64(time.tv_usec))
  }
}
