import Foundation
import GRDB
import Vocabulary

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
    let database = try connect()
    do {
      try check(database)
      let (contents, live, lastStream, recentAnswers) = try database.write { database in
        let reading = JournalReading(
          database, path: paths.file, limits: limits, answersPerDevice: answersPerDevice, at: now)
        let (contents, live) = try reading.readAll()
        let lastStream = try Int64.fetchOne(database, sql: JournalSQL.lastStream) ?? 0
        let recentAnswers = try Int.fetchOne(database, sql: JournalSQL.recentCount) ?? 0
        return (contents, live, lastStream, recentAnswers)
      }
      var opened = Opened(
        database: database, contents: contents, live: live, lastStream: lastStream,
        recentAnswers: recentAnswers)
      opened.contents.notices = notices + contents.notices
      try JournalFiles.remove(paths.suspect)
      return opened
    } catch {
      try database.close()
      throw error
    }
  }

  private func connect() throws -> DatabaseQueue {
    // SQLite would take the log of an empty file for rubbish, and throw it away.
    if try JournalFiles.size(of: paths.file) == 0,
      try JournalFiles.size(of: paths.file + "-wal") > 0
    {
      throw Damage("the file is empty, and its log is not")
    }
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

  /// Whether it is a journal, of this build's time or before, and sound as far as can be seen.
  private func check(_ database: DatabaseQueue) throws {
    let migrator = JournalSchema.migrator
    let bytes = try database.writeWithoutTransaction { database in
      guard try JournalSchema.isJournal(database) else {
        throw JournalError.unreadable(
          path: paths.file,
          reason: "it is another program's database; choose another file with --journal sqlite:PATH"
        )
      }
      guard try !migrator.hasBeenSuperseded(database) else {
        throw JournalError.newer(path: paths.file)
      }
      let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      return pages * size
    }
    try migrator.migrate(database)
    if let name = try database.read({ try JournalSchema.changedDefinition(in: $0) }) {
      throw Damage("what it says of its \(name) has changed")
    }
    if bytes <= Self.checkedBytes || JournalFiles.exist(paths.suspect) {
      try database.read { try JournalCheck($0).run() }
    }
  }
}
