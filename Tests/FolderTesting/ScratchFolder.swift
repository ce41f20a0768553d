internal import Foundation

/// A private temporary directory of a test, removed with this object.
package final class ScratchFolder {
  package let path: String

  /// Makes a directory with files of these names and texts.
  package init(_ files: [String: String] = [:]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "matinee-test-\(UUID().uuidString)")
    path = folder.path()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for (name, text) in files {
      try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // A leftover directory does no harm.
    }
  }

  /// The path of a file in it.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// A journal in it, as the value of `--journal`.
  package var journal: String { "sqlite:\(path(of: "journal.sqlite"))" }
}
