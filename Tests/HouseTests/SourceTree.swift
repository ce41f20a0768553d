import Foundation

/// The project's Swift files, for tests of its rules.
struct SourceTree {
  struct File {
    /// The path from the project's root, such as `Sources/Wire/Request.swift`.
    let path: String
    let lines: [String]

    /// The first folder below `Sources`.
    var room: String { String(path.split(separator: "/")[1]) }
  }

  let files: [File]

  /// The project's folder.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Reads all Swift files under a folder of the project.
  init(_ folder: String) throws {
    let root = Self.root
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: folder).path())
    files = try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(
        contentsOf: root.appending(path: folder).appending(path: name), encoding: .utf8)
      return File(
        path: "\(folder)/\(name)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }

  /// Where a pattern matches outside comments, as `path:line`.
  func places(of pattern: String, in isWanted: (File) -> Bool) throws -> [String] {
    let regex = try Self.expression(pattern)
    return files.filter(isWanted).flatMap { file in
      file.lines.enumerated().compactMap { number, line in
        let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return code.contains(regex) ? "\(file.path):\(number + 1)" : nil
      }
    }
  }

  /// Compiles a pattern for code, in which a full stop ends a word.
  ///
  /// By default `\b` follows Unicode's word boundaries for prose (UAX 29), and a full stop between
  /// two letters is none. Then `\bsleep` does not match in `Task.sleep`, nor does `\bTask\b`.
  static func expression(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).wordBoundaryKind(.simple)
  }
}
