package import EventLoops
import Foundation
import GRDB
package import Vocabulary

/// A journal's file, locked against other servers and read; a ``StoredJournal`` continues it.
package final class JournalFile: OpenedJournal {
  /// What the file held when it was opened.
  package let contents: JournalContents
  /// The version of the tables that an older Matinee made, before this opening changed them; `nil` if
  /// it changed none.
  package let earlierVersion: String?
  let access: JournalAccess

  /// Opens a file, creates it and its tables if missing, and blocks while it reads.
  ///
  /// A damaged file is set aside under another name, and a new one is filled with what is readable.
  /// A single stream that this build cannot understand is set aside within the file. The notices in
  /// `contents` report both. A file that never was a journal stays as it is.
  ///
  /// - Parameters:
  ///   - path: the file; SQLite puts a `-wal` and a `-shm` beside it, and the lock is `path.lock`.
  ///   - durability: what a kept event survives.
  ///   - retention: how long history is kept.
  ///   - limits: how many answers and ended sessions are remembered, and how long peers may be
  ///     away.
  ///   - now: the time in the name of a file that is set aside.
  package init(
    _ path: String, durability: Durability = .process, retention: Duration, limits: Limits,
    at now: Instant
  ) throws(JournalError) {
    do throws(UVError) {
      try PrivateDirectory.make(at: URL(filePath: path).deletingLastPathComponent().path)
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
    let paths = JournalPaths(JournalFiles.target(of: path))
    do {
      guard try !paths.leadElsewhere() else {
        throw JournalError.unreadable(
          path: path,
          reason: "it is another program's file; choose another one with --journal sqlite:PATH")
      }
    } catch {
      throw JournalError(error, path)
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
      earlierVersion = opened.earlierVersion
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

  /// Translates an error of opening a journal.
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

/// File operations on a journal's files.
enum JournalFiles {
  /// Creates a file that only its owner can access, if it is missing.
  ///
  /// The file holds the secrets with which devices resume. SQLite gives the files beside it the
  /// same permissions.
  static func makePrivate(_ path: String) throws {
    guard !exist(path) else { return }
    // If this fails, opening the file reports why.
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  static func exist(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The bytes of a file; 0 if it is missing or a directory.
  static func size(of path: String) throws -> Int {
    guard exist(path) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard attributes[.type] as? FileAttributeType != .typeDirectory else { return 0 }
    return (attributes[.size] as? Int) ?? 0
  }

  /// The file that a path leads to, by the links at its end.
  ///
  /// The lock and SQLite's files lie beside the file itself, so that two servers that reach it by
  /// different links exclude each other, and a damaged file is set aside rather than its link.
  static func target(of path: String) -> String {
    var target = path
    // As many links as the system follows (path_resolution(7)).
    for _ in 0..<40 {
      do {
        let next = try FileManager.default.destinationOfSymbolicLink(atPath: target)
        let directory = URL(filePath: target).deletingLastPathComponent()
        target = next.hasPrefix("/") ? next : directory.appending(path: next).path
      } catch {
        // It is no link, or there is nothing.
        return target
      }
    }
    return target
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws {
    if exist(path) { try FileManager.default.removeItem(atPath: path) }
  }

  /// Copies a file, and waits until the copy is on the disk.
  static func copy(_ path: String, to name: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: name)
    try synchronize(name)
  }

  /// Replaces a file at once by another one that only its owner can access.
  static func replace(_ path: String, by bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try synchronize(path)
  }

  private static func synchronize(_ path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.synchronize()
    try file.close()
  }

  /// Renames a file if it exists.
  static func rename(_ path: String, to name: String) throws {
    if exist(path) { try FileManager.default.moveItem(atPath: path, toPath: name) }
  }
}

/// The paths of a journal's file and of the files beside it.
struct JournalPaths: Equatable, Sendable {
  let file: String

  init(_ file: String) {
    self.file = file
  }

  /// SQLite's write-ahead log.
  var log: String { file + "-wal" }
  /// Held by the server that has the file open.
  var lock: String { file + ".lock" }
  /// Exists if a write met damage; the next start then checks every page.
  var suspect: String { file + ".suspect" }
  /// A new file while it is filled with what is readable of a damaged one.
  var salvage: String { file + ".salvage" }
  /// A new file that is complete and about to replace the damaged one.
  func salvaged(_ stamp: String) -> String { "\(file).salvaged-\(stamp)" }
  /// The final name of the damaged file.
  func damaged(_ stamp: String) -> String { "\(file).damaged-\(stamp)" }

  /// The suffixes of SQLite's files, with the file itself last.
  static let parts = ["-journal", "-wal", "-shm", ""]

  /// How each file of SQLite begins.
  private static let beginning = Array("SQLite format 3\u{0}".utf8)

  /// Whether the file is no database, and no server ever had it for its journal.
  ///
  /// A journal whose beginning is destroyed has the lock beside it that its server left.
  func leadElsewhere() throws -> Bool {
    guard try JournalFiles.size(of: file) > 0, ![lock, log].contains(where: JournalFiles.exist)
    else { return false }
    let reader = try FileHandle(forReadingFrom: URL(filePath: file))
    return try reader.read(upToCount: Self.beginning.count).map(Array.init) != Self.beginning
  }

  /// The stamps of complete files that have not replaced the damaged one yet, because the process
  /// was stopped.
  func unfinished() throws -> [String] {
    let url = URL(filePath: file)
    let prefix = url.lastPathComponent + ".salvaged-"
    return try FileManager.default
      .contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  /// A time for a file name, such as `20261121T154528Z`, with a number if the name is taken.
  func stamp(at now: Instant) -> String {
    let date = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
    let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
    let time = date.formatted(style)
    let stamps = [time] + (2...1000).map { "\(time)-\($0)" }
    return stamps.first { stamp in
      !["", "-wal"].contains { JournalFiles.exist(damaged(stamp) + $0) }
    } ?? time
  }
}

extension JournalFile {
  /// The shortest time between two transactions.
  ///
  /// For one command, a transaction costs both threads several times as much as its rows. At a
  /// thousand commands a second this interval halves that cost. It adds a millisecond to an answer,
  /// less than the best network takes.
  private static let interval = Duration.milliseconds(3)

  /// How often a disk that was full is tried, if nothing is to be written.
  private static let retryPause = Duration.seconds(1)

  /// Continues the file.
  ///
  /// A server that stops waits for the file's end, because a slow disk may take seconds to write the
  /// log back.
  ///
  /// - Throws: the system's error if no thread can be started.
  package func journal(on loop: EventLoop) throws(UVError) -> StoredJournal {
    try StoredJournal(
      after: contents, size: access.size, every: Self.interval, retryingAfter: Self.retryPause,
      on: loop
    ) { [access] in JournalStore(access, report: $0) }
  }
}

/// An open and locked journal's file for its writer.
///
/// The writer releases the lock once it has closed the file; without one, the last copy does.
struct JournalAccess: Sendable {
  let database: DatabaseQueue
  let lock: HeldLock
  /// How long events and ended streams are kept once a snapshot or their end made them history.
  let retention: Duration
  /// How many answers are remembered for each device.
  let answersPerDevice: Int
  let live: [LiveStream]
  /// The largest id of any stream.
  let lastStream: Int64
  /// How many answers are in `recent`, waiting for their rings.
  let recentAnswers: Int

  /// The bytes of the file's used pages and of its log.
  ///
  /// Pages that were freed count as room, because SQLite fills them before the file grows.
  var size: Int {
    do {
      let pages = try database.inDatabase {
        try Int.fetchOne($0.cachedStatement(sql: JournalSQL.usedBytes)) ?? 0
      }
      return try pages + JournalFiles.size(of: JournalPaths(database.path).log)
    } catch {
      // A file that cannot be read is not full; the next write says what is wrong.
      return 0
    }
  }

  /// Why a write failed, for people.
  ///
  /// Marks damage, so that the next start checks the whole file.
  func explain(_ error: any Error) -> String {
    guard let damage = Damage(error) else {
      guard let error = error as? DatabaseError else { return "\(error)" }
      return error.message ?? "\(error.resultCode)"
    }
    _ = FileManager.default.createFile(
      atPath: JournalPaths(database.path).suspect, contents: nil,
      attributes: [.posixPermissions: 0o600])
    return "the file is damaged (\(damage)): restart the server, which sets it aside and keeps "
      + "what is readable"
  }
}

/// Holds a file lock until it is released, or its last reference is gone.
final class HeldLock: Sendable {
  private let holder: Locked<Holder?>

  private final class Holder: Sendable {
    private let lock: FileLock

    init(_ path: String) throws(FileLockError) {
      lock = try FileLock(path)
    }
  }

  init(_ path: String) throws(FileLockError) {
    holder = Locked(try Holder(path))
  }

  /// Releases it, whoever else refers to it; a second call does nothing.
  func release() { holder.withLock { $0 = nil } }
}

/// What a kept event survives.
package enum Durability: String, Sendable, CaseIterable {
  /// The end of the process by any cause (SQLite's `synchronous = NORMAL` with a write-ahead log).
  case process
  /// Also a loss of power: each commit waits for the disk (`synchronous = FULL`).
  case power

  /// The value of SQLite's `synchronous` pragma.
  var synchronous: String {
    switch self {
    case .process: "NORMAL"
    case .power: "FULL"
    }
  }
}
