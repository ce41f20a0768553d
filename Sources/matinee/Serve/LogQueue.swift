import EventLoops
import Logging
import Vocabulary

/// Writes log lines on a thread of its own, because whoever reads them may stop reading, and then a
/// write waits for ever.
///
/// Lines wait in a bounded queue, and what happens too often is left out; both are counted and said.
/// Any thread may log.
final class LogQueue: Sendable {
  /// What a queue holds and how often one kind of line comes.
  struct Bounds: Sendable {
    /// Lines that wait: those of a busy second, some 200 bytes each.
    var waiting = 4_096
    /// Lines of one kind at once; a kind is the text without its values.
    var burst = 100
    /// How long until there is one more of a kind.
    var interval = Duration.milliseconds(100)
  }

  private struct State: Sendable {
    var waiting = 0
    /// Lines that found no place since the last one that did.
    var lost = 0
    /// How often each kind of line came, and how many of it were left out.
    var kinds: RateLimit<String>
    var leftOut: [String: Int] = [:]
  }

  /// The kinds of lines that are told apart; the program has some fifty.
  private static let kinds = 256

  private let bounds: Bounds
  private let state: Locked<State>
  private let thread: BatchThread<LogEvent>

  /// Starts the thread.
  ///
  /// - Parameter handler: writes a line; it may block.
  init(to handler: any LogHandler, _ bounds: Bounds = Bounds()) throws(UVError) {
    self.bounds = bounds
    let state = Locked(
      State(
        kinds: RateLimit(
          burst: bounds.burst, refilledIn: bounds.interval * bounds.burst, sources: Self.kinds)))
    self.state = state
    thread = try BatchThread(every: .zero) {
      LogWriter(handler) { state.withLock { $0.waiting -= 1 } }
    }
  }

  /// Queues a line, or counts it as left out.
  func post(_ event: LogEvent) {
    let now = Instant(microseconds: MonotonicClock.read().microseconds)
    let event = state.withLock { state in
      Self.admit(event, at: now, bounds, &state)
    }
    if let event { thread.post(event) }
  }

  private static func admit(
    _ event: LogEvent, at now: Instant, _ bounds: Bounds, _ state: inout State
  ) -> LogEvent? {
    let kind = "\(event.level) \(event.message)"
    guard state.kinds.take(by: kind, at: now) else {
      if state.leftOut.count < kinds || state.leftOut[kind] != nil {
        state.leftOut[kind, default: 0] += 1
      } else {
        state.lost += 1
      }
      return nil
    }
    guard state.waiting < bounds.waiting else {
      state.lost += 1
      return nil
    }
    var event = event
    if let count = state.leftOut.removeValue(forKey: kind) {
      event.metadata = (event.metadata ?? [:]).merging(["leftOut": "\(count) such lines"]) { $1 }
    }
    if state.lost > 0 {
      event.metadata = (event.metadata ?? [:]).merging(["lost": "\(state.lost) lines"]) { $1 }
      state.lost = 0
    }
    state.waiting += 1
    return event
  }

  /// Writes what waits, as long as somebody reads it.
  func close() {
    thread.stop()
    _ = thread.join(within: Self.farewell)
  }

  /// How long a reader of the last lines may take.
  private static let farewell = Duration.seconds(2)
}

/// Writes the lines of a ``LogQueue``, on its thread.
private final class LogWriter: BatchConsumer {
  private let handler: any LogHandler
  private let onLine: () -> Void

  init(_ handler: any LogHandler, onLine: @escaping () -> Void) {
    self.handler = handler
    self.onLine = onLine
  }

  func consume(_ events: [LogEvent]) {
    for event in events {
      handler.log(event: event)
      onLine()
    }
  }
}

/// Hands the lines of a logger to a ``LogQueue``.
struct QueuedLogHandler: LogHandler {
  let queue: LogQueue
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ queue: LogQueue) {
    self.queue = queue
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    if !metadata.isEmpty { event.metadata = metadata.merging(event.metadata ?? [:]) { $1 } }
    queue.post(event)
  }
}
