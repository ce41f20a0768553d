internal import CLibuv

/// Tells of one signal sent to this process, on the loop's thread.
///
/// Confined to its loop's thread. It does not keep the loop running, and lives until ``close()``;
/// after that the signal does again what the system does by default.
@safe package final class SignalSource: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_signal_t>
  private var action: (() -> Void)?

  /// Catches the signal, and does `action` each time it comes; several at once may count as one.
  ///
  /// - Throws: the system's error if the signal cannot be caught.
  package init(
    _ signal: Signal, on loop: EventLoop, _ action: @escaping () -> Void
  ) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.action = action
    unsafe handle = allocateHandle(uv_signal_t.self)
    let status = unsafe uv_signal_init(loop.raw, handle)
    guard status == 0 else {
      unsafe handle.deallocate()
      throw UVError("signal_init", .init(status))
    }
    unsafe setOwner(self, of: handle)
    unsafe uv_unref(asHandle(handle))
    let started = unsafe uv_signal_start(
      handle, { handle, _ in unsafe owner(of: handle, as: SignalSource.self)?.action?() },
      signal.rawValue)
    guard started == 0 else {
      close()
      throw UVError("signal_start", .init(started))
    }
  }

  /// Stops catching the signal; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard action != nil else { return }
    // What it captured may go with this, and call back here: only after the access.
    let dropped = action
    action = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }
}

@available(*, unavailable)
extension SignalSource: Sendable {}
