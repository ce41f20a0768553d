import Coordination
import EventLoops
import Foundation
import GRDB
package import Vocabulary

/// A journal's file, locked against other servers and read: what a ``SQLiteJournal`` goes on from.
package final class JournalFile: Sendable {
  /// What it held.
  package let contents: JournalContents
  /// How long what a snapshot or an end has made history stays in it.
  let retention: Duration
  /// How many late answers of a device it keeps.
  let answersPerDevice: Int
  let database: DatabaseQueue
  let live: [LiveStream]
  private let lock: FileLock

  /// Where a live stream lies, and how far it goes.
  struct LiveStream: Sendable {
    let id: Int64
    let aggregate: AggregateID
    let seq: Int
  }

  /// Opens a file, making it and its tables where they are not there; blocks while it reads.
  ///
  /// A file that is damaged is set aside under another name, and a new one begun with what can
  /// still be read of it; single streams that cannot be read are set aside in the file. The
  /// contents' notices say so.
  ///
  /// - Parameters:
  ///   - path: the file; SQLite puts a `-wal` and a `-shm` beside it, the lock is `path.lock`.
  ///   - durability: what a kept event survives.
  ///   - retention: how long history stays.
  ///   - limits: how many late answers and ended sessions are remembered.
  ///   - now: names what is set aside.
  package init(
    _ path: String, durability: Durability = .process, retention: Duration, limits: Limits,
    at now: Instant
  ) throws(JournalError) {
    do {
      try Self.makePrivate(path)
    } catch {
      throw .failed(path: path, reason: error.localizedDescription)
    }
    do throws(FileLockError) {
      lock = try FileLock(path + ".lock")
    } catch {
      throw JournalError(error, path)
    }
    self.retention = retention
    answersPerDevice = max(1, limits.rememberedAnswers)
    do {
      database = try Self.open(path, durability)
      (contents, live) = try database.write { database in
        var reading = JournalReading(database, at: now)
        return try reading.contents(endings: limits.tombstones)
      }
    } catch {
      throw JournalError(error, path)
    }
  }

  /// Makes the file and its directory, for nobody else to read: it holds the secrets by which
  /// devices resume. SQLite gives the files beside it the same permissions.
  private static func makePrivate(_ path: String) throws {
    let files = FileManager.default
    let directory = URL(filePath: path).deletingLastPathComponent().path
    if !files.fileExists(atPath: directory) {
      try files.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    if !files.fileExists(atPath: path) {
      _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
  }

  private static func open(_ path: String, _ durability: Durability) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
      // 16 MiB each: the pages that a thousand sessions write to, and a log that is written back
      // some times a minute, each page once however often it changed.
      try database.execute(sql: "PRAGMA cache_size = -16384")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    let migrator = JournalSchema.migrator
    guard try database.read({ try !migrator.hasBeenSuperseded($0) }) else {
      throw JournalError.newer(path: path)
    }
    try migrator.migrate(database)
    return database
  }

  /// Ties the group's time to this boot of the machine.
  package func tie(_ clock: ClockTie) throws(JournalError) {
    do {
      try database.write { database in
        try database.execute(
          sql: JournalSQL.setClock,
          arguments: [clock.boot, clock.host.microseconds, clock.instant.microseconds])
      }
    } catch {
      throw JournalError(error, database.path)
    }
  }
}

extension JournalError {
  init(_ error: FileLockError, _ path: String) {
    switch error {
    case .held(_, let holder): self = .inUse(path: path, by: holder)
    case .failed(_, let error): self = .failed(path: path, reason: "\(error)")
    }
  }

  /// What an error of SQLite means for a journal.
  init(_ error: any Error, _ path: String) {
    switch error {
    case let error as JournalError: self = error
    case let error as DatabaseError
    where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode):
      self = .unreadable(path: path, reason: error.message ?? "\(error.resultCode)")
    case let error as DatabaseError:
      self = .failed(path: path, reason: error.message ?? "\(error.resultCode)")
    default: self = .failed(path: path, reason: "\(error)")
    }
  }
}
