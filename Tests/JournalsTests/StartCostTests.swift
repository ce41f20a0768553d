import Coordination
import GRDB
import Testing
import Vocabulary

@testable import Journals

/// A start reads only what is live.
@Suite struct StartCostTests {
  /// Checks SQLite's query plans: a scan of a whole table is `SCAN` without an index.
  @Test(
    arguments: [
      JournalSQL.liveStreams, JournalSQL.snapshot, JournalSQL.events,
      JournalSQL.unfiledAnswers, JournalSQL.fileAnswersOfEvents,
      JournalSQL.filedAnswers, JournalSQL.liveSnapshots, JournalSQL.liveEvents,
      JournalSQL.liveAnswers, JournalSQL.endings,
      JournalSQL.latestEnd,
      JournalSQL.lastStream, JournalSQL.oldStreams,
      JournalSQL.deleteOldEvents,
    ])
  func `no statement scans a table that grows`(sql: String) throws {
    try JournalScene.run { scene in
      let file = try scene.read()
      let plan = try file.access.database.read { database in
        let count = (1...5).last { sql.contains("?\($0)") } ?? sql.count { $0 == "?" }
        let arguments = StatementArguments(Array(repeating: 1, count: count))
        return try Row.fetchAll(
          database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments
        ).map { $0["detail"] as String }
      }
      for step in plan where step.hasPrefix("SCAN") {
        // The table `recent` has a few thousand rows at most.
        #expect(
          step.contains("INDEX")
            || ["SCAN over", "SCAN recent", "SCAN CONSTANT ROW"].contains(step), "\(plan)")
      }
    }
  }
}
