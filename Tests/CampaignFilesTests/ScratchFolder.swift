import Foundation

/// A directory with files in it, gone when the test lets go of it.
final class ScratchFolder {
  let path: String

  init(_ files: [String: String]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "matinee-campaigns-\(UUID().uuidString)")
    path = folder.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
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
}
