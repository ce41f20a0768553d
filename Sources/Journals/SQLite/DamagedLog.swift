import Foundation
import Vocabulary

/// Makes the write-ahead log of a journal readable if its middle is damaged, before SQLite opens it.
///
/// The damaged log is copied first. Power may fail at any moment: the log is replaced at once, and
/// until then the next start begins again.
struct DamagedLog {
  private let paths: JournalPaths
  private let now: Instant

  init(_ paths: JournalPaths, at now: Instant) {
    self.paths = paths
    self.now = now
  }

  /// Looks for damage in the middle of the log, and mends it.
  ///
  /// - Returns: notices for people.
  func mend() throws -> [String] {
    guard let log = try Self.log(of: paths) else { return [] }
    let repair = LogRepair(log)
    guard let finding = repair.finding else { return [] }
    let copy = paths.damaged(paths.stamp(at: now)) + "-wal"
    try JournalFiles.copy(paths.log, to: copy)
    // The check of every page and row tells what became of damaged pages.
    try JournalFiles.makePrivate(paths.suspect)
    // The index of the log is made anew.
    try JournalFiles.remove(paths.file + "-shm")
    try JournalFiles.replace(paths.log, by: repair.log.bytes)
    return ["the log \(paths.log) is damaged and is set aside as \(copy); \(finding)"]
  }

  /// What is wrong with the log of a journal that no server has open; `nil` if nothing is.
  static func flaw(of paths: JournalPaths) throws -> String? {
    try log(of: paths).flatMap { LogRepair($0).finding }.map {
      "the log \(paths.log) is damaged; at the next start of a server, \($0)"
    }
  }

  private static func log(of paths: JournalPaths) throws -> WriteAheadLog? {
    guard try JournalFiles.size(of: paths.log) > 0, let size = try pageSize(of: paths.file) else {
      return nil
    }
    return WriteAheadLog(
      [UInt8](try Data(contentsOf: URL(filePath: paths.log))), pageSize: size)
  }

  /// The size of the database's pages; `nil` if the file is no database.
  private static func pageSize(of path: String) throws -> Int? {
    guard JournalFiles.exist(path) else { return nil }
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { withExtendedLifetime(file) {} }
    guard let header = try file.read(upToCount: 18), header.count == 18 else { return nil }
    // 65536 is stored as 1 (sqlite.org/fileformat2.html, section 1.3.2).
    let stored = Int(header[16]) << 8 | Int(header[17])
    let size = stored == 1 ? 65_536 : stored
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }
}

extension LogRepair.Finding: CustomStringConvertible {
  /// What becomes of the log, for people.
  var description: String {
    var parts: [String] = []
    if saved > 0 {
      parts.append(
        "transactions read from frame \(first) on, which SQLite would have left out: \(saved)")
    }
    if !doubtful.isEmpty {
      parts.append("pages read as far as their rows are whole: \(doubtful.count)")
    }
    if lost.frames > 0 {
      parts.append(
        "transactions lost behind the damage: \(lost.transactions), in frames: \(lost.frames)")
    }
    return parts.isEmpty ? "nothing of it is lost" : parts.joined(separator: "; ")
  }
}
