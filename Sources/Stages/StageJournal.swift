import Foundation

/// The journal of a stage whose server is to die: a file in a directory of its own, gone with it.
final class StageJournal {
  /// What `matinee serve` is told.
  let location: String
  private let directory: URL

  init() throws(StageError) {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "matinee-demo-\(UUID().uuidString)")
    location = "sqlite:" + directory.appending(path: "journal.sqlite").path()
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw .directory(error.localizedDescription)
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: directory)
    } catch {
      // It lies where the system clears up by itself.
    }
  }
}

@available(*, unavailable)
extension StageJournal: Sendable {}
