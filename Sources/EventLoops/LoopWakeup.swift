internal import CLibuv

/// Wakes a loop from another thread: libuv's `uv_async_t`, the one handle others may touch.
///
/// Confined to its loop's thread, but for its ``Sender``. It keeps the loop running until
/// ``close()``.
@safe final class LoopWakeup: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_async_t>
  private var onWake: (() -> Void)?
  private var atClose: (() -> Void)?

  /// Calls `onWake` on the loop some time after each send; several sends may count as one.
  ///
  /// When it is closed, `atClose` must stop all senders, and `onWake` is called a last time.
  init(
    on loop: EventLoop, onWake: @escaping () -> Void, atClose: @escaping () -> Void
  ) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.onWake = onWake
    self.atClose = atClose
    unsafe handle = allocateHandle(uv_async_t.self)
    let status = unsafe uv_async_init(loop.raw, handle) { handle in
      unsafe owner(of: handle, as: LoopWakeup.self)?.onWake?()
    }
    guard status == 0 else {
      unsafe handle.deallocate()
      throw UVError("async_init", .init(status))
    }
    unsafe setOwner(self, of: handle)
  }

  /// The part that other threads may hold, as long as `atClose` makes them stop using it.
  var sender: Sender { unsafe Sender(handle: handle, wakeup: self) }

  /// Stops the senders, then wakes a last time; a second call does nothing.
  func close() {
    loop.preconditionOnLoop()
    guard let onWake else { return }
    atClose?()
    onWake()
    self.onWake = nil
    atClose = nil
    unsafe closeHandle(handle)
  }

  /// Sends wake-ups from any thread: unchecked, since `uv_async_send` alone may be called so.
  @safe struct Sender: @unchecked Sendable {
    fileprivate let handle: UnsafeMutablePointer<uv_async_t>
    fileprivate let wakeup: LoopWakeup

    func send() {
      // It fails only for a handle of another kind.
      unsafe uv_async_send(handle)
    }

    /// Closes the wake-up; on its loop's thread, which is checked.
    func close() { wakeup.close() }
  }
}

@available(*, unavailable)
extension LoopWakeup: Sendable {}
