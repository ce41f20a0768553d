import EventLoops
import Vocabulary

/// The loop that everything happens on; a measurement reads from top to bottom, and runs the loop
/// whenever it has to wait.
///
/// Confined to its loop's thread.
final class Stage {
  let loop: EventLoop
  /// What went wrong in a callback; the wait at hand throws it.
  private(set) var failure: BenchError?
  private lazy var timer = LoopTimer(on: loop) { [unowned self] in loop.stop() }
  private var signals: [SignalSource] = []

  init() throws {
    loop = try EventLoop()
    signals = try [Signal.interrupt, .terminate].map { signal in
      try SignalSource(signal, on: loop) { [unowned self] in fail(.interrupted) }
    }
  }

  func close() {
    for signal in signals { signal.close() }
    loop.close()
  }

  /// Ends the wait at hand, and any other until ``recover()``, with an error.
  func fail(_ error: BenchError) {
    failure = failure ?? error
    loop.stop()
  }

  /// Whether the person has interrupted the program.
  var isInterrupted: Bool {
    if case .interrupted = failure { true } else { false }
  }

  /// Goes on after an error with the next measurement, but not after an interruption.
  func recover() {
    if !isInterrupted { failure = nil }
  }

  /// Lets the wait at hand look again at what it waits for.
  func nudge() { loop.stop() }

  /// Runs the loop until something is so; whatever makes it so has to ``nudge()``.
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

  /// Runs the loop for a while, so that a server that was busy has come to rest.
  func rest(_ time: Duration = .milliseconds(5)) throws(BenchError) {
    let end = loop.now + time
    timer.fire(at: end)
    while loop.now < end {
      if let failure { throw failure }
      loop.run()
    }
  }

  /// Runs the loop until a program has ended, whatever else went wrong before.
  func waitForEnd(of server: ServerProcess) {
    while !server.hasEnded { loop.run() }
  }
}

@available(*, unavailable)
extension Stage: Sendable {}
