package import EventLoops
internal import Vocabulary

/// A loop that runs until what a test waits for has happened, or its time is up; it never sleeps.
package final class TestLoop {
  /// The loop, for what is tested.
  package let loop: EventLoop
  private var condition: (() -> Bool)?
  private var isLate = false
  private lazy var deadline = LoopTimer(on: loop) { [unowned self] in
    isLate = true
    loop.stop()
  }

  /// Longer than anything takes on a machine that is busy with other tests: only a hang ends by it.
  package static let patience = Duration.seconds(180)

  /// What was waited for did not happen in time.
  package struct TimedOut: Error {
    /// What was waited for did not happen in time.
    package init() {}
  }

  /// Makes a loop on this thread, lets the body use it, and closes it.
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

  /// Runs the loop until the condition, looked at after each turn, holds.
  package func run(
    within limit: Duration = TestLoop.patience, until condition: @escaping () -> Bool
  ) throws {
    isLate = false
    self.condition = condition
    deadline.fire(at: loop.now + limit)
    while !condition() {
      guard !isLate else { throw TimedOut() }
      loop.run()
    }
    deadline.fire(at: nil)
    self.condition = nil
  }

  /// Runs the loop until a condition holds that no event of this loop tells of, such as a state of
  /// another process: it is looked at again and again.
  package func run(
    within limit: Duration = TestLoop.patience, lookingEvery interval: Duration,
    until condition: @escaping () -> Bool
  ) throws {
    var timer: LoopTimer?
    timer = LoopTimer(on: loop) { [loop] in timer?.fire(at: loop.now + interval) }
    timer?.fire(at: loop.now + interval)
    defer {
      timer?.close()
      timer = nil
    }
    try run(within: limit, until: condition)
  }
}

@available(*, unavailable)
extension TestLoop: Sendable {}
