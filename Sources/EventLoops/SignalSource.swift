internal import CLibuv

/// Reports one signal sent to this process, on the loop's thread.
///
/// Confined to its loop's thread. It does not keep the loop running, and lives until ``close()``,
/// which restores the signal's default action.
@safe package final class SignalSource: LoopHandle {
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_signal_t>
  private var action: (() -> Void)?

  /// Catches the signal, and runs `action` each time it arrives; several at once may count as one.
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
    // Captured objects may be freed with the action and call back here, so it is released after the
    // access.
    let dropped = action
    action = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }
}

@available(*, unavailable)
extension SignalSource: Sendable {}

/// A POSIX signal.
package struct Signal: Hashable, Sendable, CustomStringConvertible {
  /// The system's number, such as 15.
  package let rawValue: Int32

  init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// A request to end: what `kill` and service managers send.
  package static let terminate = Signal(rawValue: SIGTERM)
  /// Control-C at the terminal.
  package static let interrupt = Signal(rawValue: SIGINT)
  /// The terminal was closed; by convention, a server reloads its configuration.
  package static let hangUp = Signal(rawValue: SIGHUP)
  /// Ends the process immediately; cannot be caught.
  package static let kill = Signal(rawValue: SIGKILL)
  /// Stops the process where it is, until ``goOn``; cannot be caught.
  package static let freeze = Signal(rawValue: SIGSTOP)
  /// Lets a stopped process go on.
  package static let goOn = Signal(rawValue: SIGCONT)
  /// For any use.
  package static let user1 = Signal(rawValue: SIGUSR1)

  /// The constant's name if it is one of these, otherwise the number.
  package var description: String {
    switch self {
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    case .kill: "SIGKILL"
    case .user1: "SIGUSR1"
    default: "signal \(rawValue)"
    }
  }
}
