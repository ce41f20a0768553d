internal import CLibuv
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
