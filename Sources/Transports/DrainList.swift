internal import EventLoops
internal import Vocabulary

/// Connections that are closing: each gets the same time to do so, then it is cut off.
///
/// One timer for all of them, since those that began first are due first. Confined to its loop's
/// thread.
final class DrainList {
  private let loop: EventLoop
  private let time: Duration
  /// Those that began and have not reached their deadline; some may have closed by themselves.
  private var entries: [(connection: LineConnection, deadline: HostTime)] = []
  private var openCount = 0
  private lazy var timer = LoopTimer(on: loop) { [unowned self] in cutOff() }

  init(on loop: EventLoop, time: Duration) {
    self.loop = loop
    self.time = time
  }

  func add(_ connection: LineConnection) {
    openCount += 1
    entries.append((connection, loop.now + time))
    timer.fire(at: entries.first?.deadline)
  }

  /// One of the connections has closed; with the last, nothing here keeps the loop running.
  func finish() {
    openCount -= 1
    guard openCount == 0 else { return }
    entries.removeAll()
    timer.fire(at: nil)
  }

  private func cutOff() {
    let now = loop.now
    let due = entries.prefix { $0.deadline <= now }.map(\.connection)
    entries.removeFirst(due.count)
    for connection in due { connection.close() }
    timer.fire(at: entries.first?.deadline)
  }
}

@available(*, unavailable)
extension DrainList: Sendable {}
