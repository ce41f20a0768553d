import Foundation
import Vocabulary

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
