import Foundation
import ProtocolReading

/// Inputs to begin with, read from files that exist for other reasons.
enum Seeds {
  /// What clients say in the protocol's examples.
  static func clientLines() throws -> [[UInt8]] { try examples(of: ">") }

  /// What servers say in the protocol's examples.
  static func serverLines() throws -> [[UInt8]] { try examples(of: "<") }

  private static func examples(of speaker: Character) throws -> [[UInt8]] {
    try ProtocolArticle().lines(of: speaker).map { Array($0.utf8) }
  }

  /// Bodies of a journal's rows, each behind the word for what it is.
  static func journalRecords() throws -> [[UInt8]] {
    try lines(of: "JournalsTests/Golden/format-1.jsonl").map { Array($0.utf8) }
  }

  /// Exported journals, each in one piece.
  static func journals() throws -> [[UInt8]] {
    try ["session", "crash", "answer-and-crash", "restart"].map { name in
      Array(try lines(of: "JournalsTests/Golden/Kept/\(name).jsonl").joined(separator: "\n").utf8)
    }
  }

  /// The lines of clients in the scripts of Syncplay's tests, by script; each line begins with the
  /// name of its client.
  static func syncplayScripts() throws -> [[String]] {
    let cases = tests.appending(path: "SyncplayTesting/Cases")
    let files = try FileManager.default.contentsOfDirectory(atPath: cases.path())
    return try files.sorted().flatMap { file in
      try String(contentsOf: cases.appending(path: file), encoding: .utf8)
        .components(separatedBy: "SyncplayCase(").dropFirst().map { script in
          script.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.contains(" > {") || $0.contains(" enters ") || $0.hasPrefix("wait ") }
        }
    }
  }

  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func lines(of path: String) throws -> [String] {
    try String(contentsOf: tests.appending(path: path), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }
}
