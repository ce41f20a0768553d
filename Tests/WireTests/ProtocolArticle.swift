import Foundation
import Testing

/// The protocol's article, taken apart: chapters, their sections, and the lines of its examples.
struct ProtocolArticle {
  struct Chapter {
    let title: String
    /// What stands before the first section.
    var introduction = ""
    var sections: [String: String] = [:]
  }

  private(set) var chapters: [Chapter] = []

  init() throws {
    let room = URL(filePath: #filePath).deletingLastPathComponent()
    let path = "../../Sources/Wire/Wire.docc/Protocol.md"
    let text = try String(contentsOf: room.appending(path: path), encoding: .utf8)
    var section: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        chapters.append(Chapter(title: String(line.dropFirst(3))))
        section = nil
      } else if line.hasPrefix("### ") {
        section = String(line.dropFirst(4).replacing("`", with: ""))
      } else {
        append(line + "\n", to: section)
      }
    }
  }

  private mutating func append(_ line: Substring, to section: String?) {
    guard let last = chapters.indices.last else { return }
    if let section {
      chapters[last].sections[section, default: ""] += line
    } else {
      chapters[last].introduction += line
    }
  }

  /// The chapter of that title.
  func chapter(_ title: String) throws -> Chapter {
    try #require(chapters.first { $0.title == title }, "no chapter '\(title)'")
  }

  /// All chapters in which clients, or servers, say something.
  func chapters(startingWith prefix: String) -> [Chapter] {
    chapters.filter { $0.title.hasPrefix(prefix) }
  }

  /// What clients (`>`) or servers (`<`) say in the examples.
  func lines(of speaker: Character) -> [String] {
    chapters.flatMap { [$0.introduction] + $0.sections.values }.flatMap {
      Self.examples(in: $0, of: speaker)
    }
  }

  /// The lines of the fenced blocks in a text that a speaker says.
  static func examples(in text: String, of speaker: Character) -> [String] {
    var isInside = false
    var lines: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```json"
      } else if isInside, line.hasPrefix("\(speaker) ") {
        lines.append(String(line.dropFirst(2)))
      }
    }
    return lines
  }

  /// The cells of the rows of a text's tables, without their heads.
  static func rows(in text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
