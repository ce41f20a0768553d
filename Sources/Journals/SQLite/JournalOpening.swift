package import Coordination
import Foundation
import GRDB
package import Vocabulary

/// Opens a journal's file, whatever it finds: a fresh one, a sound one, a damaged one.
struct JournalOpening {
  private let paths: JournalPaths
  private let durability: Durability
  private let limits: Limits
  private let now: Instant

  /// A file that is open and was read.
  struct Opened {
    let database: DatabaseQueue
    var contents: JournalContents
    let live: [LiveStream]
    let lastStream: Int64
    let recentAnswers: Int
  }

  /// Up to this size every page and row is looked at as the file is opened, at the same cost for
  /// every start; in larger files damage is found where it is read.
  private static let checkedBytes: Int64 = 8 * 1024 * 1024

  /// Bytes that the log beside the file keeps once it was written back: what it has then.
  private static let logBytes = 16 * 1024 * 1024

  init(_ paths: JournalPaths, durability: Durability, limits: Limits, at now: Instant) {
    self.paths = paths
    self.durability = durability
    self.limits = limits
    self.now = now
  }

  /// At least one: a ring has a place.
  var answersPerDevice: Int { max(1, limits.rememberedAnswers) }

  /// Opens and reads the file; a damaged one is replaced first.
  func open() throws -> Opened {
    let damaged = DamagedJournal(paths, answersPerDevice: answersPerDevice, at: now)
    var notices = try damaged.finishReplacement()
    do {
      return try load(notices)
    } catch {
      guard let damage = Damage(error) else { throw error }
      notices += try damaged.replace(because: damage)
    }
    return try load(notices)
  }

  private func load(_ notices: [String]) throws -> Opened {
    try JournalFiles.makePrivate(paths.file)
    let looking = try look()
    do {
      var opened = try read(connect())
      opened.contents.notices = notices + opened.contents.notices
      try looking?.close()
      try JournalFiles.remove(paths.suspect)
      return opened
    } catch {
      try looking?.close()
      throw error
    }
  }

  private func read(_ database: DatabaseQueue) throws -> Opened {
    do {
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try JournalSchema.migrator.migrate(database)
      return try database.write { rows in
        let reading = JournalReading(
          rows, path: paths.file, limits: limits, answersPerDevice: answersPerDevice, at: now)
        let (contents, live, lastStream) = try reading.readAll()
        return Opened(
          database: database, contents: contents, live: live, lastStream: lastStream,
          recentAnswers: try Int.fetchOne(rows, sql: JournalSQL.recentCount) ?? 0)
      }
    } catch {
      try database.close()
      throw error
    }
  }

  private func connect() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { [durability] database in
      try database.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
      try database.execute(sql: "PRAGMA journal_size_limit = \(Self.logBytes)")
      // 16 MiB each: the pages that a thousand sessions write to, and a log that is written back
      // some times a minute, each page once however often it changed.
      try database.execute(sql: "PRAGMA cache_size = -16384")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
    }
    return try DatabaseQueue(path: paths.file, configuration: configuration)
  }
}

// MARK: Before anything is written

extension JournalOpening {
  /// Looks at the file through a connection that cannot write: what is damaged, or no journal, stays
  /// as it is, to the byte.
  ///
  /// - Returns: that connection, to be closed after every other one: the last that may write folds
  ///   the log into the file, and so it is not the last. `nil` of a new file.
  private func look() throws -> DatabaseQueue? {
    guard try JournalFiles.size(of: paths.file) > 0 else {
      // SQLite would take the log of an empty file for rubbish, and throw it away.
      guard try JournalFiles.size(of: paths.file + "-wal") == 0 else {
        throw Damage("the file is empty, and its log is not")
      }
      return nil
    }
    do {
      return try lookOnly()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // Somebody was stopped while it was made. Only who writes can take that back.
      try connect().close()
      return try lookOnly()
    }
  }

  private func lookOnly() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: paths.file, configuration: configuration)
    do {
      try database.read(check)
    } catch {
      try database.close()
      throw error
    }
    return database
  }

  /// Whether it is a journal, of this build's time or before, and sound as far as can be seen.
  private func check(_ database: Database) throws {
    guard try JournalSchema.isJournal(database) else {
      throw JournalError.unreadable(
        path: paths.file,
        reason: "it is another program's database; choose another file with --journal sqlite:PATH"
      )
    }
    let migrator = JournalSchema.migrator
    guard try !migrator.hasBeenSuperseded(database) else {
      throw JournalError.newer(path: paths.file)
    }
    if let name = try JournalSchema.changedDefinition(in: database) {
      throw Damage("what it says of its \(name) has changed")
    }
    if try isToBeChecked(database) {
      try JournalSchema.showAsCurrent(database)
      try JournalCheck(database).run()
    }
  }

  /// Whether every page and row is to be looked at: of an older file all are, as it is about to be
  /// changed.
  private func isToBeChecked(_ database: Database) throws -> Bool {
    let migrator = JournalSchema.migrator
    guard try !migrator.appliedIdentifiers(database).isEmpty else { return false }
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    return try pages * size <= Self.checkedBytes || JournalFiles.exist(paths.suspect)
      || !migrator.hasCompletedMigrations(database)
  }
}

/// What a journal held when it was opened: all that a server goes on from.
package struct JournalContents: Equatable, Sendable {
  /// The streams that are not over: groups and sessions in the order in which they began, then
  /// devices.
  package var streams: [RecordedStream] = []
  /// How the sessions that ended last ended, the latest last.
  package var endings: [SessionEnding] = []
  /// The instant of the last event; `nil` of an empty journal.
  package var latest: Instant?
  /// What the group's time was last tied to.
  package var clock: ClockTie?
  /// What could not be read, and what was done about it: for people.
  package var notices: [String] = []

  /// An empty journal's.
  package init() {}
}

/// The group's time at a moment of a machine: two processes of one boot agree by it to the
/// microsecond, whatever the time of day did in between.
package struct ClockTie: Equatable, Sendable {
  /// Which boot of which machine; see `BootID`.
  package let boot: String
  package let host: HostTime
  package let instant: Instant

  /// A tie.
  package init(boot: String, host: HostTime, instant: Instant) {
    self.boot = boot
    self.host = host
    self.instant = instant
  }
}

/// Looks at every page and every row of a journal's file.
struct JournalCheck {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Checks that the pages and indexes are in order, that each row is as it was written, and that each belongs
  /// to a stream.
  ///
  /// - Throws: ``Damage``, or what SQLite throws of it.
  func run() throws {
    let flaw = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
    guard flaw == "ok" else { throw Damage(flaw.replacing("\n", with: " ")) }
    var streams: Set<Int64> = []
    try forEach("SELECT id, kind, name, began, ended, sum FROM stream") { row in
      streams.insert(try JournalRow.Stream(row).id)
    }
    try forEach(JournalSQL.allEvents) { row in
      _ = try JournalRow.Record(row, of: try owner(of: row, among: streams), from: 1)
      _ = try JournalRow.Answer(ofEvent: row, from: 6)
    }
    try forEach("SELECT stream, seq, at, format, body, sum FROM snapshot") { row in
      _ = try JournalRow.Record(row, of: try owner(of: row, among: streams), from: 1)
    }
    for sql in [JournalSQL.allAnswers, JournalSQL.recentAnswers] {
      try forEach(sql) { row in
        _ = try owner(of: row, among: streams)
        _ = try JournalRow.Answer(row)
      }
    }
  }

  private func owner(of row: Row, among streams: Set<Int64>) throws(Damage) -> Int64 {
    let stream = try row.number(0)
    guard streams.contains(stream) else { throw Damage("a row is of no stream: \(stream)") }
    return stream
  }

  private func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() { try body(row) }
  }
}
