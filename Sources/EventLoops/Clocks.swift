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

/// The clock of ``EventLoop/now``, for threads that have no loop.
package enum MonotonicClock {
  /// The time now, on any thread.
  package static func read() -> HostTime { HostTime(microseconds: Int64(uv_hrtime() / 1_000)) }
}

/// Which start of this machine's kernel it is.
///
/// ``EventLoop`` times of two processes can be compared if they are of one boot.
package enum BootID {
  /// The kernel's random id of this boot; `nil` where it tells none (random(4)).
  package static func read() -> String? {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
