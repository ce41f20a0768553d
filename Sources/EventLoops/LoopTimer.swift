internal import CLibuv
internal import SystemLibrary
package import Vocabulary

/// A one-shot timer of a loop, to be armed with a value's next deadline.
///
/// Confined to its loop's thread. It never fires early; how late it fires depends on the loop's
/// other work. It keeps the loop running while armed, and lives until ``close()``.
@safe package final class LoopTimer: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_timer_t>
  private var action: (() -> Void)?
  private var deadline: HostTime?

  /// Makes a disarmed timer; `action` runs each time an armed deadline has passed.
  package init(on loop: EventLoop, _ action: @escaping () -> Void) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.action = action
    unsafe handle = allocateHandle(uv_timer_t.self)
    unsafe uv_timer_init(loop.raw, handle)
    unsafe setOwner(self, of: handle)
  }

  /// Arms the timer for a deadline, or disarms it with nil; replaces the previous deadline.
  ///
  /// A deadline in the past fires in the loop's next turn. libuv counts milliseconds, so the
  /// deadline is rounded up.
  package func fire(at deadline: HostTime?) {
    loop.preconditionOnLoop()
    guard action != nil, deadline != self.deadline else { return }
    self.deadline = deadline
    guard let deadline else {
      unsafe uv_timer_stop(handle)
      return
    }
    // libuv adds the delay to the time read at the start of the turn, on the same clock.
    let due = UInt64(max(deadline.microseconds, 0)).dividedRoundingUp(by: 1_000)
    let turn = unsafe uv_now(loop.raw)
    unsafe uv_timer_start(
      handle, { handle in unsafe owner(of: handle, as: LoopTimer.self)?.expire() },
      due > turn ? due - turn : 0, 0)
  }

  /// Disarms the timer permanently and releases its action; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard action != nil else { return }
    // Captured objects may be freed with the action and call back here, so it is released after the
    // access.
    let dropped = action
    action = nil
    deadline = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  private func expire() {
    guard let deadline, let action else { return }
    self.deadline = nil
    // libuv may read a coarser clock than ``EventLoop/now``, and so fire up to one of its ticks
    // early.
    if loop.now < deadline { return fire(at: deadline) }
    action()
  }
}

@available(*, unavailable)
extension LoopTimer: Sendable {}

extension UInt64 {
  fileprivate func dividedRoundingUp(by divisor: UInt64) -> UInt64 {
    self / divisor + (self % divisor == 0 ? 0 : 1)
  }
}

/// The time of day.
///
/// It may step; the loop's time never does.
package enum WallClock {
  /// The time of day as an instant; the epoch if the system cannot tell it.
  package static func read() -> Instant {
    var time = uv_timeval64_t()
    guard unsafe uv_gettimeofday(&time) == 0 else { return Instant(microseconds: 0) }
    return Instant(microseconds: time.tv_sec * 1_000_000 + Int64(time.tv_usec))
  }

  /// The offset of local time from UTC at an instant, in the system's time zone.
  package static func offset(at instant: Instant) -> Duration {
    var seconds = time_t(instant.microseconds / 1_000_000)
    var parts = unsafe tm()
    // `localtime_r` alone would not notice that the time zone has changed.
    tzset()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return .zero }
    return unsafe .seconds(parts.tm_gmtoff)
  }
}

/// The clock of ``EventLoop/now``, for threads without a loop.
package enum MonotonicClock {
  package static func read() -> HostTime { HostTime(microseconds: Int64(uv_hrtime() / 1_000)) }
}

/// Identifies one boot of this machine.
///
/// Times of ``EventLoop`` from two processes are comparable if both ran in the same boot.
package enum BootID {
  /// The kernel's random id of this boot; `nil` if it is not available (random(4)).
  package static func read() -> String? {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    let count = unsafe SystemLibrary.read(descriptor, &bytes, bytes.count)
    return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
