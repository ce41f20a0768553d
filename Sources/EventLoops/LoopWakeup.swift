internal import CLibuv
internal import Glibc

/// Wakes a loop from another thread, by a descriptor that the loop polls.
///
/// As libuv's `uv_async_t` does, but for one thing: in libuv 1.44 a loop that wakes before the sender
/// is back from its system call spins until it is, which at a thousand wake-ups a second was 7 % of
/// the server's processor time. Linux's `eventfd` needs no such agreement.
///
/// Confined to its loop's thread, but for its ``Sender``. It keeps the loop running until
/// ``close()``.
@safe final class LoopWakeup: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_poll_t>
  private let descriptor: CInt
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
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw UVError("eventfd", .init(-errno)) }
    unsafe handle = allocateHandle(uv_poll_t.self)
    let status = unsafe uv_poll_init(loop.raw, handle, descriptor)
    guard status == 0 else {
      unsafe handle.deallocate()
      Glibc.close(descriptor)
      throw UVError("poll_init", .init(status))
    }
    unsafe setOwner(self, of: handle)
    unsafe uv_poll_start(handle, CInt(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe owner(of: handle, as: LoopWakeup.self)?.wake()
    }
  }

  private func wake() {
    var count = eventfd_t()
    // It fails only where another call of this turn has read it.
    _ = unsafe eventfd_read(descriptor, &count)
    onWake?()
  }

  /// The part that other threads may hold, as long as `atClose` makes them stop using it.
  var sender: Sender { Sender(descriptor: descriptor, wakeup: self) }

  /// Stops the senders, then wakes a last time; a second call does nothing.
  func close() {
    loop.preconditionOnLoop()
    guard let onWake else { return }
    atClose?()
    onWake()
    self.onWake = nil
    atClose = nil
    unsafe closeHandle(handle)
    Glibc.close(descriptor)
  }

  /// Sends wake-ups from any thread: unchecked, since what it needs of the wake-up is a number.
  @safe struct Sender: @unchecked Sendable {
    fileprivate let descriptor: CInt
    fileprivate let wakeup: LoopWakeup

    func send() {
      // It fails only where more wake-ups wait than a number can count.
      _ = eventfd_write(descriptor, 1)
    }

    /// Closes the wake-up; on its loop's thread, which is checked.
    func close() { wakeup.close() }
  }
}

@available(*, unavailable)
extension LoopWakeup: Sendable {}
