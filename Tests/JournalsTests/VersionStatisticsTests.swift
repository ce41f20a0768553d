import FolderTesting
import GRDB
import Synchronization
import Testing
import Vocabulary

@testable import Journals

@Suite struct VersionStatisticsTests {
  private let folder: ScratchFolder
  private var path: String { folder.path(of: "stats.db") }

  init() throws { folder = try ScratchFolder() }

  private func record(_ counts: [(seconds: Int64, versions: [String])]) throws {
    let statistics = try VersionStatistics(path) { Issue.record("\($0)") }
    for count in counts {
      statistics.record(
        count.versions, at: Instant(microseconds: count.seconds * 1_000_000 + 999_999))
    }
    statistics.close()
  }

  private func rows() throws -> [String] {
    try DatabaseQueue(path: path).read { database in
      try Row.fetchAll(
        database, sql: "SELECT snapshot_time, version, typeof(version) FROM clients_snapshots"
      ).map { row in "\(row[0] as Int64) \(row[1] as String) \(row[2] as String)" }
    }
  }

  @Test func `each client of each hour is a row, over starts`() throws {
    try record([(1_795_254_915, ["1.6.9", "1.10", "1.6.9"]), (1_795_258_515, ["1.7.7"])])
    try record([(1_795_262_115, ["1.7.7"])])
    #expect(
      try rows() == [
        "1795254915 1.6.9 text", "1795254915 1.10 text", "1795254915 1.6.9 text",
        "1795258515 1.7.7 text", "1795262115 1.7.7 text",
      ])
  }

  @Test func `a file of the reference's goes on`() throws {
    try DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: """
          CREATE TABLE clients_snapshots (snapshot_time INTEGER, version STRING);
          INSERT INTO clients_snapshots VALUES (1, '1.6.8')
          """)
    }
    try record([(2, ["1.7.7"])])
    #expect(try rows() == ["1 1.6.8 text", "2 1.7.7 text"])
  }

  @Test func `a file that cannot be written is told with what to do`() throws {
    let nowhere = folder.path(of: "none/stats.db")
    let error = #expect(throws: VersionStatisticsError.self) {
      _ = try VersionStatistics(nowhere) { _ in }
    }
    #expect(error?.description.contains("leave --stats-db-file out") == true)
    #expect(error?.description.contains(nowhere) == true)
  }

  @Test func `somebody who has the file in use for a moment costs no count`() throws {
    let statistics = try VersionStatistics(path) { Issue.record("\($0)") }
    try DatabaseQueue(path: path).inDatabase { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      statistics.record(["1.7.7"], at: Instant(microseconds: 0))
      // Long enough for the other thread to find the file in use.
      for _ in 0..<50_000 { _ = try Int.fetchOne(database, sql: "SELECT 1") }
      try database.execute(sql: "COMMIT")
    }
    statistics.close()
    #expect(try rows() == ["0 1.7.7 text"])
  }

  @Test func `a file that stays in use is not waited for without end`() throws {
    let complaints = Complaints()
    let statistics = try VersionStatistics(path) { complaints.add($0) }
    try DatabaseQueue(path: path).inDatabase { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      statistics.record(["1.7.7"], at: Instant(microseconds: 0))
      statistics.close()
      // The write still waits; it complains after five seconds.
      #expect(complaints.all == [])
      try database.execute(sql: "COMMIT")
    }
  }

  @Test func `what cannot be written is complained of, and costs nothing else`() throws {
    let complaints = Complaints()
    let statistics = try VersionStatistics(path) { complaints.add($0) }
    try DatabaseQueue(path: path).write { database in
      try database.execute(sql: "DROP TABLE clients_snapshots")
    }
    for version in ["1.7.7", "1.7.8"] {
      statistics.record([version], at: Instant(microseconds: 0))
    }
    statistics.close()
    #expect(complaints.all.count == 2)
    #expect(complaints.all.allSatisfy { $0.contains("no such table") })
  }

  /// Messages received on another thread.
  private final class Complaints: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock(\.self) }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }
}
