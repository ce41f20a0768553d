package import EventLoops
internal import Vocabulary

/// A loop that runs until a test's condition holds or a deadline passes; it never sleeps.
package final class TestLoop {
  /// The loop for the tested objects.
  package let loop: EventLoop
  private var condition: (() -> Bool)?
  private var isLate = false
  private lazy var deadline = LoopTimer(on: loop) { [unowned self] in
    isLate = true
    loop.stop()
  }

  /// The default deadline.
  ///
  /// It is longer than any step takes on a machine busy with other tests, so only a hang reaches
  /// it.
  package static let patience = Duration.seconds(180)

  /// A loopback address of its own, on which nobody else takes a port while a server there is away.
  package static func unsharedHost() -> String {
    (1...3).reduce("127") { text, _ in "\(text).\(Int.random(in: 1...254))" }
  }

  /// The condition did not hold in time.
  package struct TimedOut: Error, CustomStringConvertible {
    /// Where the test waited.
    package let description: String

    /// Names the caller's line unless told another one.
    package init(file: String = #fileID, line: Int = #line) {
      description = "what \(file):\(line) waits for did not happen in time"
    }
  }

  /// Makes a loop on this thread, passes it to `body`, and closes it.
  package static func run(_ body: (TestLoop) throws -> Void) throws {
    ProcessSettings.ignoreBrokenPipes()
    let loop = try EventLoop()
    let test = TestLoop(loop)
    defer { loop.close() }
    try body(test)
  }

  private init(_ loop: EventLoop) {
    self.loop = loop
    loop.atTurnEnd(.write) { [unowned self] in
      if condition?() == true { loop.stop() }
    }
  }

  /// Runs the loop until the condition, checked after each turn, holds.
  ///
  /// - Throws: ``TimedOut``, which names the caller's line.
  package func run(
    within limit: Duration = TestLoop.patience, file: String = #fileID, line: Int = #line,
    until condition: @escaping () -> Bool
  ) throws {
    isLate = false
    self.condition = condition
    deadline.fire(at: loop.now + limit)
    while !condition() {
      guard !isLate else { throw TimedOut(file: file, line: line) }
      loop.run()
    }
    deadline.fire(at: nil)
    self.condition = nil
  }

  /// Runs the loop until the condition holds, and checks it also at an interval.
  ///
  /// Meant for conditions without an event on this loop, such as the state of another process.
  ///
  /// - Throws: ``TimedOut``, which names the caller's line.
  package func run(
    within limit: Duration = TestLoop.patience, lookingEvery interval: Duration,
    file: String = #fileID, line: Int = #line, until condition: @escaping () -> Bool
  ) throws {
    var timer: LoopTimer?
    timer = LoopTimer(on: loop) { [loop] in timer?.fire(at: loop.now + interval) }
    timer?.fire(at: loop.now + interval)
    defer {
      timer?.close()
      timer = nil
    }
    try run(within: limit, file: file, line: line, until: condition)
  }

  /// Runs the loop for a while, in which nothing must happen, or something outside it does.
  package func run(for time: Duration, file: String = #fileID, line: Int = #line) throws {
    let end = loop.now + time
    let interval = min(time, .milliseconds(100))
    try run(within: time + Self.patience, lookingEvery: interval, file: file, line: line) {
      [loop] in loop.now >= end
    }
  }
}

@available(*, unavailable)
extension TestLoop: Sendable {}
