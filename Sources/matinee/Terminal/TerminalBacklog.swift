import EventLoops
import Scenarios

/// The events of a terminal's input that wait for their reader, in order.
///
/// At most as many lines wait as a script can have. The end of the input and the request to end the
/// program always find room, because without them the program would never end.
final class TerminalBacklog: Sendable {
  /// The events; for one reader.
  let events: AsyncStream<TerminalInput.Event>
  private let continuation: AsyncStream<TerminalInput.Event>.Continuation
  /// How many lines wait.
  private let lineCount: Locked<Int>

  init() {
    let (waiting, continuation) = AsyncStream.makeStream(of: TerminalInput.Event.self)
    let lineCount = Locked(0)
    events = AsyncStream(unfolding: { () async -> TerminalInput.Event? in
      var iterator = waiting.makeAsyncIterator()
      let event = await iterator.next()
      if event?.isLine == true { lineCount.withLock { $0 -= 1 } }
      return event
    })
    self.continuation = continuation
    self.lineCount = lineCount
  }

  /// Adds an event; returns whether there was room for it.
  func add(_ event: TerminalInput.Event) -> Bool {
    let hasRoom =
      !event.isLine
      || lineCount.withLock { count in
        guard count < ScriptedLines.limit else { return false }
        count += 1
        return true
      }
    if hasRoom { continuation.yield(event) }
    return hasRoom
  }
}

extension TerminalInput.Event {
  /// Whether it is a line, readable or not.
  fileprivate var isLine: Bool {
    switch self {
    case .line, .unreadable: true
    case .end, .interrupted: false
    }
  }
}
