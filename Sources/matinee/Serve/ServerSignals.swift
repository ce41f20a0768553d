import EventLoops

/// Hears the signals that stop a server: SIGTERM and SIGINT.
///
/// The first one is reported. The second one ends the process at once with 130, even if a thread or
/// the loop itself hangs.
///
/// Confined to its loop's thread. It lives until ``close()``.
final class StopSignals {
  private var sources: [SignalSource] = []
  private var hasHeard = false

  /// Catches the signals.
  ///
  /// - Parameters:
  ///   - loop: the loop that reports the first signal.
  ///   - stop: receives it, once.
  /// - Throws: the system's error if the signals cannot be caught.
  init(on loop: EventLoop, _ stop: @escaping (Signal) -> Void) throws(UVError) {
    for signal in [Signal.terminate, .interrupt] {
      sources.append(try SignalSource(signal, on: loop) { self.hear(signal, stop) })
    }
  }

  private func hear(_ signal: Signal, _ stop: (Signal) -> Void) {
    // A second signal of the same turn was caught before the first one was reported.
    guard !hasHeard else { return ProcessSettings.raise(signal) }
    hasHeard = true
    // First, because stopping may hang.
    ProcessSettings.endAtNextSignal()
    stop(signal)
  }

  /// Reports no more signals; after a first one, the next one still ends the process.
  ///
  /// If none was heard, the signals have their default action again. A second call does nothing.
  func close() {
    for source in sources { source.close() }
    sources = []
    if hasHeard { ProcessSettings.endAtNextSignal() }
  }
}

@available(*, unavailable)
extension StopSignals: Sendable {}

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
