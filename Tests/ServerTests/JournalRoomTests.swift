import Coordination
import EventLoops
import Journals
import Logging
import LoopTesting
import Testing
import Vocabulary

@testable import Server

/// What the server makes of its journal's size and answers.
@Suite struct JournalRoomTests {
  @Test func `a full journal is measured until it has room, whether or not anything is written`()
    throws
  {
    try TestLoop.run { test in
      var limits = Limits()
      limits.journalSize = 1_000
      let journal = MeasuredJournal(1_000)
      let anywhere = ServerConfiguration.Endpoint(host: "127.0.0.1", port: 0)
      let server = try MatineeServer(
        ServerConfiguration(endpoints: [anywhere], limits: limits), on: test.loop,
        journal: journal, log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      #expect(!server.isReady && journal.measures == 1)
      journal.report(990)
      #expect(!server.isReady && journal.measures == 2)
      journal.report(100)
      #expect(server.isReady && journal.measures == 2)
      server.stop()
    }
  }

  @Test func `only what a journal has kept says how long that takes, in whatever order it answers`()
  {
    var metrics = ServerMetrics()
    for _ in 1...3 { metrics.beginAppend() }
    metrics.endAppend(.failed, after: .zero)
    metrics.endAppend(.kept, after: .seconds(9))
    #expect(metrics.appendCount == 1)
    #expect(metrics.appendTimes.count == 1 && metrics.appendTimes.sum == .seconds(9))
  }
}

/// A journal that has the size that a test says.
private final class MeasuredJournal: Journal {
  weak var delegate: (any JournalDelegate)?
  private(set) var size: Int
  /// How often it was asked to measure itself later.
  private(set) var measures = 0

  init(_ size: Int) { self.size = size }

  var isDurable: Bool { true }

  func report(_ size: Int) {
    self.size = size
    delegate?.journalDidMeasure(self)
  }

  func append(_ append: Append) {
    delegate?.journal(self, didAppend: append, .kept, after: .zero)
  }
  func snapshot(_ state: AggregateState) {}
  func forget(_ aggregate: AggregateID) {}
  func measure(after pause: Duration) { measures += 1 }
  func close() {}
}

@available(*, unavailable)
extension MeasuredJournal: Sendable {}
