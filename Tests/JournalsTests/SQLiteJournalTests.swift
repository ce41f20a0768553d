import Naming
import Coordination
import EventLoops
import GRDB
import GroupSessions
import Testing
import Vocabulary
import Wire

@testable import Journals

/// What only a journal in a file does.
@Suite struct SQLiteJournalTests {
  @Test func `what a turn hands over is one transaction, and what comes meanwhile the next`() throws
  {
    try JournalScene.run { scene in
      let counter = CommitCounter()
      try scene.open().access.database.add(transactionObserver: counter, extent: .databaseLifetime)
      for number in 0..<100 { scene.append(JournalScene.opening("g\(number)")) }
      try scene.settle()
      #expect(counter.commits == 1)
      scene.append(JournalScene.closing("g0", after: 1))
      try scene.settle()
      #expect(counter.commits == 2)
    }
  }

}

private final class CommitCounter: TransactionObserver, @unchecked Sendable {
  /// Written on the database's queue; the test reads it when the queue is idle.
  private let count = Locked(0)
  var commits: Int { count.withLock { $0 } }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
  func databaseDidRollback(_ db: Database) {}
}
