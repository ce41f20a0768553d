import Coordination
package import EventLoops
import Foundation
import GRDB
package import GroupSessions
package import Vocabulary

/// A summary of a journal.
package struct JournalOverview: Equatable, Sendable {
  package var path = ""
  /// The size of the file, or of the tables in the database.
  package var bytes: Int64 = 0
  /// The size of SQLite's write-ahead log, which is not yet written back into the file; `nil` in a
  /// database.
  package var logBytes: Int64?
  /// The version of its tables.
  package var schema = ""
  /// The formats of its records.
  package var formats: [Int] = []
  /// Whether a server has it open for writing.
  package var writer = FileLockState.free
  /// Its streams, in the order in which they began.
  package var streams: [Stream] = []
  /// The last tie of the group's time to a boot of the machine.
  package var clock: ClockTie?
  /// Reports of damage that was found and set aside, latest last.
  package var notices: [Notice] = []

  /// The instant of the last event.
  package var latest: Instant? { streams.compactMap(\.latest).max() }

  package init() {}

  /// A report of a server about the file.
  package struct Notice: Equatable, Sendable {
    package let at: Instant
    package let text: String

    package init(at: Instant, _ text: String) {
      self.at = at
      self.text = text
    }
  }

  package struct Stream: Equatable, Sendable {
    /// `group`, `session`, `attachment`, `device`, `user`, `tray` or `name`; a longer text if it
    /// was set aside.
    package let kind: String
    /// Its name, unique among live streams of its kind.
    package let name: String
    package let began: Instant
    /// When it ended; `nil` while it is live.
    package let ended: Instant?
    /// How many of its events are kept.
    package var events = 0
    /// The number of the first kept event; more than 1 where retention deleted some.
    package var first: Int?
    /// The number of the last event.
    package var last: Int?
    /// The instant of the last event.
    package var latest: Instant?
    /// The number of the last event that its snapshot includes.
    package var snapshot: Int?
    /// For a device, the number of remembered answers.
    package var answers = 0
    /// For an ended session, why it ended.
    package var reason: EndReason?

    /// Whether a server could not read it and set it aside.
    package var isSetAside: Bool { AggregateKind(rawValue: kind) == nil }
  }
}

extension JournalArchive {
  /// Summarizes the file.
  package func overview() throws(JournalError) -> JournalOverview {
    var overview = try read { database in
      var overview = JournalOverview()
      overview.schema = try JournalSchema.migrator.appliedMigrations(database).last ?? ""
      overview.formats = try Int.fetchAll(database, sql: ArchiveSQL.formats).sorted()
      overview.clock = try database.storedClock()
      overview.streams = try Self.streams(of: database)
      overview.notices = try Row.fetchAll(database, sql: JournalSQL.notices)
        .map { (row) throws(Damage) in
          .init(at: Instant(microseconds: try row.number(0)), try row.text(1))
        }
      return overview
    }
    overview.path = path
    switch source {
    case .file:
      overview.bytes = Self.size(path)
      overview.logBytes = Self.size(JournalFiles.target(of: path) + "-wal")
      overview.writer = FileLockState(JournalPaths(JournalFiles.target(of: path)).lock)
    case .copy(let bytes, let version, let isInUse):
      overview.bytes = bytes
      overview.schema = "\(version)"
      overview.writer = isInUse ? .held(by: nil) : .free
    }
    return overview
  }

  private static func streams(of database: Database) throws -> [JournalOverview.Stream] {
    let stored = try database.storedStreams()
    let places = Dictionary(
      stored.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var streams = stored.map {
      JournalOverview.Stream(
        kind: $0.kind, name: $0.name, began: Instant(microseconds: $0.began),
        ended: $0.ended.map { Instant(microseconds: $0) })
    }
    func each(_ sql: String, _ body: (Int, Row) throws -> Void) throws {
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() {
        if let place = places[try row.number(0)] { try body(place, row) }
      }
    }
    try each(ArchiveSQL.eventCounts) { place, row in
      streams[place].events = Int(try row.number(1))
      streams[place].first = Int(try row.number(2))
      streams[place].last = Int(try row.number(3))
      streams[place].latest = Instant(microseconds: try row.number(4))
    }
    try each(ArchiveSQL.answerCounts) { place, row in
      streams[place].answers = Int(try row.number(1))
    }
    try each(ArchiveSQL.snapshots) { place, row in
      streams[place].snapshot = Int(try row.number(1))
    }
    var reader = RecordReader()
    try each(ArchiveSQL.sessionEnds) { place, row in
      guard streams[place].ended != nil else { return }
      let record = try JournalRow.Record(row, of: row.number(0), from: 1)
      streams[place].reason = reader.ending(record.body, record.format)
    }
    return streams
  }

  private static func size(_ path: String) -> Int64 {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    } catch {
      return 0  // A log that is not there is empty.
    }
  }
}

extension RecordReader {
  /// Why a session ended, if the event is its readable end.
  mutating func ending(_ body: String, _ format: Int) -> EndReason? {
    do {
      guard case .session(.ended(let reason)) = try event(body, of: .session, format: format)
      else { return nil }
      return reason
    } catch {
      return nil  // For whoever verifies.
    }
  }
}
