import EventLoops

/// Hears SIGHUP for as long as a server runs, so that it never ends one that stands by, starts or
/// takes over.
///
/// A request that comes while nothing can be read again is granted once something can.
///
/// Confined to its loop's thread. It lives until ``close()``.
final class ReloadSignal {
  private var source: SignalSource?
  private var reload: (() -> Void)?
  private var isWaiting = false

  /// Catches the signal.
  init(on loop: EventLoop) throws(UVError) {
    source = try SignalSource(.hangUp, on: loop) { [unowned self] in hear() }
  }

  private func hear() {
    guard let reload else { return isWaiting = true }
    reload()
  }

  /// Calls `reload` at each signal, and at once if there was one for which nothing could be done.
  func use(_ reload: @escaping () -> Void) {
    self.reload = reload
    guard isWaiting else { return }
    isWaiting = false
    reload()
  }

  /// Keeps signals for the next ``use(_:)``.
  func hold() { reload = nil }

  /// Catches no more signals, which are ignored from now on; a second call does nothing.
  func close() {
    hold()
    source?.close()
    source = nil
    // Closing restores the default action, which would make an end as asked look like a death.
    ProcessSettings.ignoreHangUp()
  }
}

@available(*, unavailable)
extension ReloadSignal: Sendable {}
