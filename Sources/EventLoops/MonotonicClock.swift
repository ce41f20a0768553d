internal import CLibuv
package import Vocabulary

/// The clock of ``EventLoop/now``, for threads that have no loop.
package enum MonotonicClock {
  /// The time now, on any thread.
  package static func read() -> HostTime { HostTime(microseconds: Int64(uv_hrtime() / 1_000)) }
}
