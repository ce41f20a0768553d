internal import Foundation

/// The article of a room, and what stands in its tables.
package struct Article {
  private let lines: [String]

  /// Reads it from the sources.
  package init(_ room: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let place = "Sources/\(room)/\(room).docc/\(room).md"
    lines = try String(contentsOf: root.appending(path: place), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// The rows of the table with that head, each as its cells.
  package func table(_ head: String...) -> [[String]] {
    guard let start = lines.firstIndex(where: { Self.cells(of: $0) == head }) else { return [] }
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(Self.cells)
  }

  private static func cells(of line: String) -> [String] {
    guard line.hasPrefix("|") else { return [] }
    return line.replacing(#"\|"#, with: "\u{0}").split(
      separator: "|", omittingEmptySubsequences: false
    )
    .dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|")
    }
  }

  /// The lines of the first fence behind a line.
  package func fence(behind line: String) -> [String] {
    guard let start = lines.firstIndex(of: line),
      let fence = lines[start...].firstIndex(of: "```")
    else { return [] }
    return Array(lines[(fence + 1)...].prefix { $0 != "```" })
  }
}

extension String {
  /// The words between backticks.
  package var code: [String] {
    components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}
