import Coordination
package import EventLoops
import Foundation
import GRDB
package import GroupSessions
package import Vocabulary

/// What is in a journal's file, counted.
package struct JournalOverview: Equatable, Sendable {
  /// Where it is.
  package var path = ""
  /// The size of the file.
  package var bytes: Int64 = 0
  /// The size of what is not folded into the file yet: SQLite's write-ahead log.
  package var logBytes: Int64 = 0
  /// The number of its tables' shape.
  package var schema = ""
  /// The formats that its records are in.
  package var formats: [Int] = []
  /// Whether a server writes to it.
  package var writer = FileLockState.free
  /// Its streams, in the order in which they began.
  package var streams: [Stream] = []
  /// What the group's time was last tied to.
  package var clock: ClockTie?
  /// What was once found damaged and set aside, the latest last.
  package var notices: [Notice] = []

  /// The instant of the last event.
  package var latest: Instant? { streams.compactMap(\.latest).max() }

  /// An overview of nothing.
  package init() {}

  /// What a server had to say about the file.
  package struct Notice: Equatable, Sendable {
    package let at: Instant
    package let text: String

    /// A text and when it was said.
    package init(at: Instant, _ text: String) {
      self.at = at
      self.text = text
    }
  }

  /// One stream.
  package struct Stream: Equatable, Sendable {
    /// `group`, `session`, `device` or `user`; longer if it was set aside.
    package let kind: String
    /// Its name among those of its kind.
    package let name: String
    package let began: Instant
    /// When it was over; `nil` while it goes on.
    package let ended: Instant?
    /// How many of its events are there.
    package var events = 0
    /// The number of the first of them; more than 1 where retention removed some.
    package var first: Int?
    /// The number of the last of them.
    package var last: Int?
    /// When that happened.
    package var latest: Instant?
    /// The number of the event that its snapshot goes to.
    package var snapshot: Int?
    /// Of a device, how many late answers are kept.
    package var answers = 0
    /// Of a session that is over, why.
    package var reason: EndReason?

    /// Whether it could not be read and was put out of the way.
    package var isSetAside: Bool { AggregateKind(rawValue: kind) == nil }

    /// A stream with nothing in it.
    package init(kind: String, name: String, began: Instant, ended: Instant?) {
      self.kind = kind
      self.name = name
      self.began = began
      self.ended = ended
    }
  }
}

extension JournalArchive {
  /// Counts what is in the file.
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
    overview.bytes = Self.size(path)
    overview.logBytes = Self.size(path + "-wal")
    overview.writer = FileLockState(path + ".lock")
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
  /// Why a session ended, if that is what the event says and it can be read.
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
