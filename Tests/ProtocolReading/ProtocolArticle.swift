internal import Foundation

/// The protocol's article, taken apart: chapters, their sections, and the lines of its examples.
package struct ProtocolArticle {
  /// What stands under a heading of the second rank.
  package struct Chapter {
    /// The heading.
    package let title: String
    /// What stands before the first section.
    package internal(set) var introduction = ""
    /// What stands under each heading of the third rank.
    package internal(set) var sections: [String: String] = [:]
  }

  /// In their order.
  package private(set) var chapters: [Chapter] = []

  /// There is no chapter of that title.
  package struct NoChapter: Error {
    /// The title.
    package let title: String
  }

  /// Reads it from the sources.
  package init() throws {
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
  package func chapter(_ title: String) throws -> Chapter {
    guard let chapter = chapters.first(where: { $0.title == title }) else {
      throw NoChapter(title: title)
    }
    return chapter
  }

  /// All chapters in which clients, or servers, say something.
  package func chapters(startingWith prefix: String) -> [Chapter] {
    chapters.filter { $0.title.hasPrefix(prefix) }
  }

  /// What clients (`>`) or servers (`<`) say in the examples.
  package func lines(of speaker: Character) -> [String] {
    chapters.flatMap { [$0.introduction] + $0.sections.values }.flatMap {
      Self.examples(in: $0, of: speaker)
    }
  }

  /// The lines of the fenced blocks in a text that a speaker says.
  package static func examples(in text: String, of speaker: Character) -> [String] {
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
  package static func rows(in text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
