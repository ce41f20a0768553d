import EventLoops
import GRDB
import Vocabulary

@testable import Journals

/// A temporary path for a journal, removed with this object.
final class ScratchJournal {
  private let directory: PrivateDirectory
  let path: String

  /// - Parameter lines: an export to import; without one, the file does not exist yet.
  init(_ lines: [String]? = nil) throws {
    directory = try PrivateDirectory(prefix: "matinee-archive-")
    path = directory.path(of: "journal.sqlite")
    if let lines { try load(lines) }
  }

  deinit {
    directory.remove(
      files: ["", "-wal", "-shm", ".lock"].map { "journal.sqlite" + $0 })
  }

  @discardableResult
  func load(_ lines: [String]) throws -> JournalImport {
    try load(text: lines.map { $0 + "\n" }.joined())
  }

  @discardableResult
  func load(text: String, chunk: Int = 100) throws -> JournalImport {
    var rest = Array(text.utf8)[...]
    return try JournalImport(into: path, at: Instant(microseconds: 0)) {
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
  }

  func exported(withSecrets: Bool = true) throws -> [String] {
    var bytes: [UInt8] = []
    try JournalArchive(path).export(withSecrets: withSecrets) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Changes the file as no server would.
  func spoil(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  /// Changes the file and corrects the sums, as if a server had written it.
  func rewrite(_ sql: String) throws {
    try spoil(sql)
    try DatabaseQueue(path: path).write { database in
      for table in ["event", "snapshot"] {
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
          let sum = RowSum.record(
            row["stream"], row["seq"], at: row["at"], format: row["format"], row["body"])
          try database.execute(
            sql: "UPDATE \(table) SET sum = ? WHERE stream = ? AND seq = ?",
            arguments: [sum, row["stream"], row["seq"]])
        }
      }
      for row in try Row.fetchAll(database, sql: "SELECT * FROM answer") {
        let sum = RowSum.answer(
          row["stream"], row["number"], row["request"], format: row["format"], row["body"])
        try database.execute(
          sql: "UPDATE answer SET sum = ? WHERE stream = ? AND slot = ?",
          arguments: [sum, row["stream"], row["slot"]])
      }
      for row in try Row.fetchAll(database, sql: "SELECT * FROM stream") {
        let sum = RowSum.stream(
          row["id"], row["kind"], row["name"], began: row["began"], ended: row["ended"])
        try database.execute(
          sql: "UPDATE stream SET sum = ? WHERE id = ?", arguments: [sum, row["id"]])
      }
    }
  }

  func contents() throws -> JournalContents {
    try JournalFile(
      path, retention: .zero, limits: Limits(), at: Instant(microseconds: 0)
    ).contents
  }
}
