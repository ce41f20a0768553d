import Foundation

/// A scenario in a file of its own, which goes when the test lets go of it.
final class ScenarioFile {
  let path: String

  init(_ text: String) throws {
    let name = "matinee-\(UUID().uuidString).yaml"
    path = FileManager.default.temporaryDirectory.appending(path: name).path()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // Nothing depends on it.
    }
  }
}
