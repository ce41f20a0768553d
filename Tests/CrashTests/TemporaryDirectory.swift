import Foundation
import Testing

/// A directory of a test's own, gone with it.
final class TemporaryDirectory {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "matinee-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A journal in it, as `matinee serve` is told.
  var journal: String { "sqlite:" + url.appending(path: "journal.sqlite").path() }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }
}
