package import Coordination
import GRDB
package import Vocabulary

/// Opens a journal's file, whether new, sound or damaged.
struct JournalOpening {
  private let paths: JournalPaths
  private let durability: Durability
  private let limits: Limits
  private let now: Instant

  /// The result of opening a file.
  struct Opened {
    let database: DatabaseQueue
    var contents: JournalContents
    let live: [LiveStream]
    let lastStream: Int64
    let recentAnswers: Int
    /// The version of its tables before they were changed; `nil` if they were not.
    let earlierVersion: String?
  }

  /// Up to this size, every page and row is checked when the file is opened, which bounds the cost
  /// of a start.
  ///
  /// In a larger file, damage is found when the damaged row is read.
  private static let checkedBytes: Int64 = 8 * 1024 * 1024

  /// The size in bytes to which SQLite truncates the log after writing it back; the value equals
  /// `wal_autocheckpoint`'s 4096 pages.
  private static let logBytes = 16 * 1024 * 1024

  init(_ paths: JournalPaths, durability: Durability, limits: Limits, at now: Instant) {
    self.paths = paths
    self.durability = durability
    self.limits = limits
    self.now = now
  }

  /// At least one, because a ring has at least one slot.
  var answersPerDevice: Int { max(1, limits.rememberedAnswers) }

  /// Opens and reads the file.
  ///
  /// A damaged file is replaced first.
  func open() throws -> Opened {
    let damaged = DamagedJournal(paths, answersPerDevice: answersPerDevice, at: now)
    var notices = try damaged.finishReplacement()
    let logNotices = try DamagedLog(paths, at: now).mend()
    notices += logNotices
    do {
      return try load(notices, adding: logNotices)
    } catch {
      guard let damage = Damage(error) else { throw error }
      notices += try damaged.replace(because: damage)
    }
    return try load(notices, adding: logNotices)
  }

  /// - Parameter new: those of the notices that the file does not have yet.
  private func load(_ notices: [String], adding new: [String]) throws -> Opened {
    try JournalFiles.makePrivate(paths.file)
    let inspection = try inspect()
    do {
      var opened = try read(connect())
      try opened.database.write { database in
        for notice in new { try database.addNotice(notice, at: now) }
      }
      opened.contents.notices = notices + opened.contents.notices
      try inspection?.close()
      try JournalFiles.remove(paths.suspect)
      return opened
    } catch {
      try inspection?.close()
      throw error
    }
  }

  private func read(_ database: DatabaseQueue) throws -> Opened {
    do {
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      let migrator = JournalSchema.migrator
      let earlierVersion = try database.read { rows in
        try migrator.hasCompletedMigrations(rows) ? nil : migrator.appliedIdentifiers(rows).max()
      }
      try migrator.migrate(database)
      return try database.write { rows in
        let reading = JournalReading(
          rows, path: paths.file, limits: limits, answersPerDevice: answersPerDevice, at: now)
        let (contents, live, lastStream) = try reading.readAll()
        return Opened(
          database: database, contents: contents, live: live, lastStream: lastStream,
          recentAnswers: try Int.fetchOne(rows, sql: JournalSQL.recentCount) ?? 0,
          earlierVersion: earlierVersion)
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
      // 16 MiB each. The cache holds the pages that a thousand sessions write to. The log is
      // written back a few times a minute, and each page once, however often it changed.
      try database.execute(sql: "PRAGMA cache_size = -16384")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
    }
    return try DatabaseQueue(path: paths.file, configuration: configuration)
  }
}

// MARK: Checks before the first write

extension JournalOpening {
  /// Checks the file through a read-only connection, so that a damaged file, or one that is no
  /// journal, stays unchanged byte for byte.
  ///
  /// - Returns: that connection, to be closed after all others. The last connection that may write
  ///   would write the log back into the file; this one prevents that by staying open. `nil` for a
  ///   new file.
  private func inspect() throws -> DatabaseQueue? {
    guard try JournalFiles.size(of: paths.file) > 0 else {
      // SQLite would discard the log of an empty file.
      guard try JournalFiles.size(of: paths.log) == 0 else {
        throw Damage("the file is empty, and its log is not")
      }
      return nil
    }
    do {
      return try inspectReadOnly()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // A process was stopped while it created the file. Only a writer can roll that back.
      try connect().close()
      return try inspectReadOnly()
    }
  }

  private func inspectReadOnly() throws -> DatabaseQueue {
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

  /// Checks that the file is a journal of this build or an older one, and sound as far as it is
  /// examined.
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
      throw Damage("the definition of \(name) has changed")
    }
    if try isToBeChecked(database) {
      try JournalSchema.showAsCurrent(database)
      try JournalCheck(database).run()
    }
  }

  /// Whether every page and row is checked.
  ///
  /// All older files are, because migration changes them.
  private func isToBeChecked(_ database: Database) throws -> Bool {
    let migrator = JournalSchema.migrator
    guard try !migrator.appliedIdentifiers(database).isEmpty else { return false }
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    return try pages * size <= Self.checkedBytes || JournalFiles.exist(paths.suspect)
      || !migrator.hasCompletedMigrations(database)
  }
}

/// What a journal held when it was opened; a server starts from it.
package struct JournalContents: Equatable, Sendable {
  /// The live streams: groups and sessions in the order in which they began, then devices.
  package var streams: [RecordedStream] = []
  /// How the most recent ended sessions ended, latest last.
  package var endings: [SessionEnding] = []
  /// The instant of the last event; `nil` for an empty journal.
  package var latest: Instant?
  /// The last tie of the group's time to a boot of the machine.
  package var clock: ClockTie?
  /// What could not be read and what was done about it, for people.
  package var notices: [String] = []

  package init() {}
}

/// Ties the group's time to a machine's monotonic clock.
///
/// With it, two processes of one boot agree to the microsecond, even if the time of day changed in
/// between.
package struct ClockTie: Equatable, Sendable {
  /// Identifies the boot of the machine; see `BootID`.
  package let boot: String
  package let host: HostTime
  package let instant: Instant

  package init(boot: String, host: HostTime, instant: Instant) {
    self.boot = boot
    self.host = host
    self.instant = instant
  }
}

/// Checks every page and every row of a journal's file.
struct JournalCheck {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Checks that pages and indexes are consistent, that each row's sum fits, and that each row
  /// belongs to a stream.
  ///
  /// - Throws: ``Damage``, or SQLite's error.
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
    guard streams.contains(stream) else { throw Damage("a row belongs to no stream: \(stream)") }
    return stream
  }

  private func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() { try body(row) }
  }
}
