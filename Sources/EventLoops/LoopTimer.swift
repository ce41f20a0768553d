internal import CLibuv
internal import Glibc
package import Vocabulary

/// One timer of a loop, to be armed with what a value says it waits for next.
///
/// Confined to its loop's thread. It never fires early; how late it may fire is up to the loop's
/// other work. It keeps the loop running while armed, and lives until ``close()``.
@safe package final class LoopTimer: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_timer_t>
  private var action: (() -> Void)?
  private var deadline: HostTime?

  /// Makes a disarmed timer; `action` is done each time an armed deadline has passed.
  package init(on loop: EventLoop, _ action: @escaping () -> Void) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.action = action
    unsafe handle = allocateHandle(uv_timer_t.self)
    unsafe uv_timer_init(loop.raw, handle)
    unsafe setOwner(self, of: handle)
  }

  /// Arms the timer for a moment, or disarms it with nil; what it was armed for before is forgotten.
  ///
  /// A moment that has passed fires in the loop's next turn. libuv counts in milliseconds: the
  /// moment is rounded up to the next one.
  package func fire(at deadline: HostTime?) {
    loop.preconditionOnLoop()
    guard action != nil, deadline != self.deadline else { return }
    self.deadline = deadline
    guard let deadline else {
      unsafe uv_timer_stop(handle)
      return
    }
    // libuv adds the delay to the time it read at the start of the turn, on the same clock.
    let due = UInt64(max(deadline.microseconds, 0)).dividedRoundingUp(by: 1_000)
    let turn = unsafe uv_now(loop.raw)
    unsafe uv_timer_start(
      handle, { handle in unsafe owner(of: handle, as: LoopTimer.self)?.expire() },
      due > turn ? due - turn : 0, 0)
  }

  /// Disarms the timer for ever and lets go of its action; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard action != nil else { return }
    // What it captured may go with this, and call back here: only after the access.
    let dropped = action
    action = nil
    deadline = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  private func expire() {
    guard let deadline, let action else { return }
    self.deadline = nil
    // libuv may read a coarser clock than ``EventLoop/now``, and so be early by a tick of it.
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
