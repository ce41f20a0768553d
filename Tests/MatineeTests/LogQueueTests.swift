import EventLoops
import Logging
import Testing
import Vocabulary

@testable import matinee

/// Logging that waits for nobody.
@Suite struct LogQueueTests {
  /// Keeps lines, and writes none before it may.
  private struct Reader: LogHandler {
    let lines = Locked<[String]>([])
    let gate = Locked(false)
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      gate.withLock { _ in }
      let values = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted()
      lines.withLock { $0.append(([event.message.description] + values).joined(separator: " ")) }
    }
  }

  private func log(_ bounds: LogQueue.Bounds, _ reader: Reader) throws -> (Logger, LogQueue) {
    let queue = try LogQueue(to: reader, bounds)
    return (Logger(label: "test") { _ in QueuedLogHandler(queue) }, queue)
  }

  @Test func `lines arrive in order, and all before the end`() throws {
    let reader = Reader()
    let (log, queue) = try log(.init(), reader)
    for number in 0..<90 { log.info("line", metadata: ["number": "\(number)"]) }
    queue.close()
    #expect(reader.lines.withLock { $0 } == (0..<90).map { "line number=\($0)" })
  }

  @Test func `what comes too often is left out, and that is said`() throws {
    let reader = Reader()
    let (log, queue) = try log(.init(burst: 3, interval: .milliseconds(1)), reader)
    for _ in 0..<1_000 { log.info("often") }
    log.info("seldom")
    // The bound lets one more through as soon as its time has come.
    var said: String?
    while said == nil {
      log.info("often")
      said = reader.lines.withLock { $0.first { $0.contains("leftOut=") } }
    }
    queue.close()
    let lines = reader.lines.withLock { $0 }
    #expect(lines.contains("seldom"))
    #expect(said?.hasPrefix("often leftOut=") == true)
  }

  @Test func `a reader that stops costs lines, and stops nobody`() throws {
    let reader = Reader()
    let (log, queue) = try log(.init(waiting: 10, burst: 1_000), reader)
    reader.gate.withLock { _ in
      for number in 0..<500 { log.info("line", metadata: ["number": "\(number)"]) }
    }
    // The thread may be in the midst of a line; one that comes later is told of the loss.
    var isTold = false
    while !isTold {
      log.info("later")
      isTold = reader.lines.withLock { $0.contains { $0.contains("lost=") } }
    }
    queue.close()
    let lines = reader.lines.withLock { $0 }
    #expect(lines.count { $0.hasPrefix("line") } <= 11)
  }
}
