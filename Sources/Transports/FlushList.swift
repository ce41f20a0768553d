internal import DequeModule
package import EventLoops
internal import Vocabulary
package import Wire

/// The connections of one kind on one loop, and which of them must write at the end of the turn.
///
/// All messages queued for a peer in a turn leave in one write. Where many peers are written to, the
/// others' commands are taken in between. Confined to its loop's thread.
package final class FlushList {
  /// The loop whose turns end with a flush.
  package let loop: EventLoop
  /// The limits of each connection.
  package let limits: ConnectionLimits
  /// The line ending of the peers.
  let lineEnding: LineEnding
  /// The initial state of each connection's line splitter.
  let freshSplitter: LineSplitter
  /// The message to a peer that is dropped because it does not read; `nil` sends none.
  let lastWordToSlow: SharedBytes?
  /// The totals of its connections.
  ///
  /// They are counted here because counters per connection would cost each idle peer 40 bytes.
  package var traffic: Traffic { counted }
  /// Separate from ``traffic``, because each access to a `package` property is checked for
  /// exclusivity.
  var counted = Traffic()
  /// Scratch space for the messages of one write, so that no connection needs its own.
  var batch: [SharedBytes] = []
  let drains: DrainList
  let backlogs: Backlogs
  private var dirty: Deque<LineConnection> = []

  /// How many connections are written to before the loop looks for what has come: a millisecond's
  /// writes of a few microseconds each.
  private static let flushedAtOnce = 128

  /// Makes the list, which flushes at the end of each turn until the loop closes.
  ///
  /// - Parameters:
  ///   - loop: the loop whose turns end with a flush.
  ///   - limits: the limits of each connection.
  ///   - ending: the line ending of the peers.
  ///   - backlogs: bounds what waits for all peers of this list and others together.
  ///   - lastWordToSlow: sent to a peer that does not read, in place of all waiting messages. If
  ///     the peer reads within the drain time, it learns why it was dropped and that it may return.
  package init(
    on loop: EventLoop, limits: ConnectionLimits = ConnectionLimits(),
    linesEndingWith ending: LineEnding = .lineFeed,
    lastWordToSlow: SharedBytes? = nil, backlogs: Backlogs = Backlogs(atMost: .max)
  ) {
    self.loop = loop
    self.backlogs = backlogs
    self.limits = limits
    lineEnding = ending
    freshSplitter = LineSplitter(
      maximumLineBytes: limits.lineBytesMaximum, endingWith: ending)
    self.lastWordToSlow = lastWordToSlow
    drains = DrainList(on: loop, time: limits.drainTime)
    loop.atTurnEnd(.write) { [self] in flush() }
  }

  /// Calls back once no connection waits for its last bytes to leave; at once if none does.
  package func whenDrained(_ body: @escaping () -> Void) { drains.whenFinished(body) }

  /// Queues a connection for the flush at the end of the turn; a connection marks itself once per
  /// flush.
  func mark(_ connection: LineConnection) {
    dirty.append(connection)
  }

  /// Writes to those that wait longest; the others' turn comes soon.
  ///
  /// A flush may close a connection, and its delegate may queue more.
  private func flush() {
    var room = Self.flushedAtOnce
    while room > 0, let connection = dirty.popFirst() {
      connection.flush()
      room -= 1
      if dirty.isEmpty || room == 0 { backlogs.dropExcess() }
    }
    if !dirty.isEmpty { loop.continueSoon() }
  }
}

@available(*, unavailable)
extension FlushList: Sendable {}

/// The limits of one kind of connection on this process's memory and time.
package struct ConnectionLimits: Equatable, Sendable {
  /// The longest line from a peer, without its ending; bounds what is buffered of it.
  package var lineBytesMaximum: Int
  /// How many bytes may wait for a slow peer, on top of the kernel's send buffer.
  package var backlogBytesMaximum: Int
  /// How many bytes may wait for a peer while droppable messages are still queued.
  package var droppableBytesMaximum: Int
  /// How long a closing connection may take to send its last bytes and to receive the peer's end.
  package var drainTime: Duration

  /// The limits; the defaults suit the peers of a session.
  ///
  /// - Parameters:
  ///   - lineBytesMaximum: 64 KiB, the most that one read returns.
  ///   - backlogBytesMaximum: 1 MiB, about five thousand messages. A peer that far behind recovers
  ///     faster by reconnecting and receiving the current state.
  ///   - droppableBytesMaximum: 256 KiB. Droppable messages are stale for a peer that far behind.
  ///   - drainTime: two seconds, ten round trips of a poor connection.
  package init(
    lineBytesMaximum: Int = 64 * 1024, backlogBytesMaximum: Int = 1024 * 1024,
    droppableBytesMaximum: Int = 256 * 1024, drainTime: Duration = .seconds(2)
  ) {
    self.lineBytesMaximum = lineBytesMaximum
    self.backlogBytesMaximum = backlogBytesMaximum
    self.droppableBytesMaximum = droppableBytesMaximum
    self.drainTime = drainTime
  }
}

/// The traffic of all connections of one list.
package struct Traffic: Equatable, Sendable {
  /// Bytes that arrived.
  package var bytesReceived = 0
  /// Complete lines that arrived, without overlong ones.
  package var linesReceived = 0
  /// Bytes handed to the stream, whether or not the kernel has taken them.
  package var bytesSent = 0
  /// Messages handed to the stream.
  package var messagesSent = 0
  /// Droppable messages that slow peers did not get.
  package var messagesDropped = 0

  package init() {}

  mutating func countSent(bytes: Int, messages: Int) {
    bytesSent += bytes
    messagesSent += messages
  }
}

/// Closing connections.
///
/// Each gets the same time to drain, then it is cut off.
///
/// One timer serves all, because the first to begin is the first to be due. Confined to its loop's
/// thread.
final class DrainList {
  private let loop: EventLoop
  private let time: Duration
  /// The connections before their deadline; some may have closed already.
  private var entries: [(connection: LineConnection, deadline: HostTime)] = []
  private var openCount = 0
  private var waiters: [() -> Void] = []
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

  /// Called when one of the connections has closed; after the last one, the timer no longer keeps
  /// the loop running.
  func finish() {
    openCount -= 1
    guard openCount == 0 else { return }
    entries.removeAll()
    timer.fire(at: nil)
    let finished = waiters
    waiters = []
    for waiter in finished { waiter() }
  }

  /// Calls back once no connection drains; at once if none does.
  func whenFinished(_ body: @escaping () -> Void) {
    guard openCount > 0 else { return body() }
    waiters.append(body)
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
