package import EventLoops
internal import Vocabulary
package import Wire

/// The connections of one kind on one loop: which of them have to write when the turn ends.
///
/// All that is enqueued for a peer in a turn leaves in one write. Confined to its loop's thread.
package final class FlushList {
  /// The loop whose turns count.
  package let loop: EventLoop
  /// What each of the connections may take.
  package let limits: ConnectionLimits
  /// Where each of its connections begins to read.
  let freshSplitter: LineSplitter
  /// What a peer that does not read is told when it is dropped; `nil` closes without a word.
  let lastWordToSlow: SharedBytes?
  /// What has gone over its connections so far; counted here, since a connection's own count would
  /// cost each idle peer forty bytes.
  package var traffic: Traffic { counted }
  /// Apart from ``traffic``: what other rooms can see is checked for exclusive access each time.
  var counted = Traffic()
  /// Scratch for the messages of one write, so that no connection needs its own.
  var batch: [SharedBytes] = []
  let drains: DrainList
  private var dirty: [LineConnection] = []
  private var flushing: [LineConnection] = []

  /// Makes the list, which from now on flushes at the end of each turn, until the loop closes.
  ///
  /// - Parameters:
  ///   - loop: the loop whose turns count.
  ///   - limits: what each connection may take.
  ///   - ending: what ends the peers' lines.
  ///   - lastWordToSlow: what a peer that does not read is sent in place of all that waits, should
  ///     it read on within the drain time: then it knows why, and that it may come back.
  package init(
    on loop: EventLoop, limits: ConnectionLimits = ConnectionLimits(),
    linesEndingWith ending: LineEnding = .lineFeed,
    lastWordToSlow: SharedBytes? = nil
  ) {
    self.loop = loop
    self.limits = limits
    freshSplitter = LineSplitter(
      maximumLineBytes: limits.lineBytesMaximum, endingWith: ending)
    self.lastWordToSlow = lastWordToSlow
    drains = DrainList(on: loop, time: limits.drainTime)
    loop.atTurnEnd(.write) { [self] in flush() }
  }

  /// Has a connection flushed when the turn ends; it marks itself once, until it is flushed.
  func mark(_ connection: LineConnection) {
    dirty.append(connection)
  }

  /// A flush may close a connection, and others hear of it at once; so again until all is written.
  private func flush() {
    while !dirty.isEmpty {
      swap(&dirty, &flushing)
      for connection in flushing { connection.flush() }
      flushing.removeAll(keepingCapacity: true)
    }
  }
}

@available(*, unavailable)
extension FlushList: Sendable {}

/// What has gone over the connections of one list.
package struct Traffic: Equatable, Sendable {
  /// Bytes that arrived.
  package var bytesReceived = 0
  /// Whole lines that arrived, without overlong ones.
  package var linesReceived = 0
  /// Bytes handed to the stream, whether or not the kernel has taken all of them yet.
  package var bytesSent = 0
  /// Messages handed to the stream.
  package var messagesSent = 0
  /// Droppable messages that a slow peer did not get.
  package var messagesDropped = 0

  /// Nothing yet.
  package init() {}

  mutating func countSent(bytes: Int, messages: Int) {
    bytesSent += bytes
    messagesSent += messages
  }
}

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
