internal import Foundation

/// A directory of a test's own that nobody else may look into, gone when the test lets go of it.
package final class ScratchFolder {
  /// Where it is.
  package let path: String

  /// A directory with these texts in files of these names.
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
      // Nothing depends on it.
    }
  }

  /// Where a file of that name is in it.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// A journal in it, as `matinee serve` is told.
  package var journal: String { "sqlite:\(path(of: "journal.sqlite"))" }
}
