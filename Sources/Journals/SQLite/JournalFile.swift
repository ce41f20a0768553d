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

/// What is done to a journal's files as files.
enum JournalFiles {
  /// Makes a file for nobody else to read, if it is not there.
  ///
  /// It holds the secrets by which devices resume. SQLite gives the files beside it the same permissions.
  static func makePrivate(_ path: String) throws {
    guard !exist(path) else { return }
    // Should it fail, opening the file tells why.
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  static func exist(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The bytes of a file; 0 if it is not there, or is a directory.
  static func size(of path: String) throws -> Int {
    guard exist(path) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard attributes[.type] as? FileAttributeType != .typeDirectory else { return 0 }
    return (attributes[.size] as? Int) ?? 0
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws {
    if exist(path) { try FileManager.default.removeItem(atPath: path) }
  }

  /// Renames a file, if it is there.
  static func rename(_ path: String, to name: String) throws {
    if exist(path) { try FileManager.default.moveItem(atPath: path, toPath: name) }
  }
}

/// The names of a journal's file and of what may lie beside it.
struct JournalPaths: Equatable, Sendable {
  let file: String

  init(_ file: String) {
    self.file = file
  }

  /// Held by the server that has the file open.
  var lock: String { file + ".lock" }
  /// There if writing met damage: the next start looks at every page.
  var suspect: String { file + ".suspect" }
  /// A new file that is being filled with what can be read of a damaged one.
  var salvage: String { file + ".salvage" }
  /// A new file that is complete, and is about to take the damaged one's place.
  func salvaged(_ stamp: String) -> String { "\(file).salvaged-\(stamp)" }
  /// The damaged one's name from then on.
  func damaged(_ stamp: String) -> String { "\(file).damaged-\(stamp)" }

  /// What SQLite lays beside a file, by the ends of their names; the file itself is the last.
  static let parts = ["-journal", "-wal", "-shm", ""]

  /// The stamps of complete files that have not taken their place yet: somebody pulled the plug.
  func unfinished() throws -> [String] {
    let url = URL(filePath: file)
    let prefix = url.lastPathComponent + ".salvaged-"
    return try FileManager.default
      .contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  /// A time for a file's name, such as `20261121T154528Z`, and a number where one bears it already.
  func stamp(at now: Instant) -> String {
    let date = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
    let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
    let time = date.formatted(style)
    let stamps = [time] + (2...1000).map { "\(time)-\($0)" }
    return stamps.first { !FileManager.default.fileExists(atPath: damaged($0)) } ?? time
  }
}

/// An open and locked journal's file, for whoever writes to it; others may have it once all who hold
/// this let go of it.
struct JournalAccess: Sendable {
  let database: DatabaseQueue
  let lock: HeldLock
  /// How long what a snapshot or an end has made history stays in the file.
  let retention: Duration
  /// How many late answers of a device it keeps.
  let answersPerDevice: Int
  let live: [LiveStream]
  /// The largest id that a stream has.
  let lastStream: Int64
  /// How many answers are not in their rings yet.
  let recentAnswers: Int

  /// Why writing failed, for people; damage is marked, so that the next start looks closely.
  func explain(_ error: any Error) -> String {
    guard let damage = Damage(error) else {
      guard let error = error as? DatabaseError else { return "\(error)" }
      return error.message ?? "\(error.resultCode)"
    }
    _ = FileManager.default.createFile(
      atPath: JournalPaths(database.path).suspect, contents: nil,
      attributes: [.posixPermissions: 0o600])
    return "the file is damaged (\(damage)): start the server anew, and it is set aside"
  }
}

/// A lock that lasts as long as anybody holds this.
final class HeldLock: Sendable {
  private let lock: FileLock

  init(_ path: String) throws(FileLockError) {
    lock = try FileLock(path)
  }
}

/// What a kept event survives.
package enum Durability: String, Sendable, CaseIterable {
  /// The end of the process, however it comes (SQLite's `synchronous = NORMAL` in a write-ahead log).
  case process
  /// A loss of power, too: each commit waits for the disk (`synchronous = FULL`).
  case power

  /// SQLite's word for it.
  var synchronous: String {
    switch self {
    case .process: "NORMAL"
    case .power: "FULL"
    }
  }
}
