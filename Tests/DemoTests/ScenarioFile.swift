import FolderTesting

/// A scenario in a file of its own, which goes when the test lets go of it.
struct ScenarioFile {
  private static let name = "scenario.yaml"
  private let folder: ScratchFolder

  init(_ text: String) throws {
    folder = try ScratchFolder([Self.name: text])
  }

  var path: String { folder.path(of: Self.name) }
}
