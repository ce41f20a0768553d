import EventLoops
import Vocabulary

/// The event loop of a measurement; a measurement is sequential code that runs the loop while it
/// waits.
///
/// Confined to its loop's thread.
final class Stage {
  let loop: EventLoop
  /// An error from a callback; the current wait throws it.
  private(set) var failure: BenchError?
  private lazy var timer = LoopTimer(on: loop) { [unowned self] in loop.stop() }
  private var signals: [SignalSource] = []

  init() throws {
    loop = try EventLoop()
    signals = try [Signal.interrupt, .terminate].map { signal in
      try SignalSource(signal, on: loop) { [unowned self] in fail(.interrupted) }
    }
  }

  /// A stage on the loop of a thread beside the measurement, where nobody interrupts it.
  init(on loop: EventLoop) {
    self.loop = loop
  }

  func close() {
    for signal in signals { signal.close() }
    loop.close()
  }

  /// Ends the current wait, and any other until ``recover()``, with an error.
  func fail(_ error: BenchError) {
    failure = failure ?? error
    loop.stop()
  }

  /// Whether the user interrupted the program.
  var isInterrupted: Bool {
    if case .interrupted = failure { true } else { false }
  }

  /// Clears an error, so that the next measurement can run; an interruption stays.
  func recover() {
    if !isInterrupted { failure = nil }
  }

  /// Makes the current wait check its condition again.
  func nudge() { loop.stop() }

  /// Runs the loop until a condition holds; code that makes it hold must call ``nudge()``.
  func wait(
    for what: String, within limit: Duration = .seconds(60), until isSo: () -> Bool
  ) throws(BenchError) {
    let deadline = loop.now + limit
    timer.fire(at: deadline)
    defer { timer.fire(at: nil) }
    while !isSo() {
      if let failure { throw failure }
      guard loop.now < deadline else { throw .timedOut(what) }
      loop.run()
    }
  }

  /// Runs the loop for a while, so that a busy server becomes idle.
  func rest(_ time: Duration = .milliseconds(5)) throws(BenchError) {
    let end = loop.now + time
    timer.fire(at: end)
    while loop.now < end {
      if let failure { throw failure }
      loop.run()
    }
  }

  /// Runs the loop until a program has ended, regardless of earlier errors.
  func waitForEnd(of server: ServerProcess) {
    while !server.hasEnded { loop.run() }
  }
}

@available(*, unavailable)
extension Stage: Sendable {}
