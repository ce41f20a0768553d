import Coordination
import EventLoops
import Foundation
import GRDB
package import Vocabulary

/// A journal's file, locked against other servers and read: what a ``SQLiteJournal`` goes on from.
package final class JournalFile: Sendable {
  /// What it held.
  package let contents: JournalContents
  let access: JournalAccess

  /// Opens a file, making it and its tables where they are not there; blocks while it reads.
  ///
  /// A file that is damaged is set aside under another name, and a new one begun with what can
  /// still be read of it; single streams that cannot be understood are set aside in the file. The
  /// contents' notices say so.
  ///
  /// - Parameters:
  ///   - path: the file; SQLite puts a `-wal` and a `-shm` beside it, the lock is `path.lock`.
  ///   - durability: what a kept event survives.
  ///   - retention: how long history stays.
  ///   - limits: how many late answers and ended sessions are remembered, and how long peers may be away.
  ///   - now: names what is set aside.
  package init(
    _ path: String, durability: Durability = .process, retention: Duration, limits: Limits,
    at now: Instant
  ) throws(JournalError) {
    let paths = JournalPaths(path)
    do throws(UVError) {
      try PrivateDirectory.make(at: URL(filePath: path).deletingLastPathComponent().path)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
    let lock: HeldLock
    do throws(FileLockError) {
      lock = try HeldLock(paths.lock)
    } catch {
      throw JournalError(error, path)
    }
    do {
      let opening = JournalOpening(paths, durability: durability, limits: limits, at: now)
      let opened = try opening.open()
      contents = opened.contents
      access = JournalAccess(
        database: opened.database, lock: lock, retention: retention,
        answersPerDevice: opening.answersPerDevice, live: opened.live,
        lastStream: opened.lastStream, recentAnswers: opened.recentAnswers)
    } catch {
      throw JournalError(error, path)
    }
  }

  /// Ties the group's time to this boot of the machine.
  package func tie(_ clock: ClockTie) throws(JournalError) {
    do {
      try access.database.write { database in
        try database.setClock(
          clock.boot, host: clock.host.microseconds, instant: clock.instant.microseconds)
      }
    } catch {
      throw JournalError(error, access.database.path)
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

  /// What an error of opening means for a journal.
  init(_ error: any Error, _ path: String) {
    if let damage = Damage(error) {
      self = .unreadable(path: path, reason: damage.description)
      return
    }
    switch error {
    case let error as JournalError: self = error
    case is NewerRecord: self = .newer(path: path)
    case let error as DatabaseError:
      self = .failed(path: path, reason: error.message ?? "\(error.resultCode)")
    default: self = .failed(path: path, reason: "\(error)")
    }
  }
}
