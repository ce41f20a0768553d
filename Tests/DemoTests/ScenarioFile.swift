import FolderTesting

/// A scenario in a file of its own, which goes when the test lets go of it.
struct ScenarioFile {
  private static let name = "scenario.yaml"
  private let folder: ScratchFolder

  init(_ text: String) throws {
    folder = try ScratchFolder([Self.name: text])
  }

  /// A scenario for real time, in which people may see later what they must see.
  ///
  /// How soon that is depends on the machine's load. The limits in the files of the shipped
  /// scenarios hold in virtual time.
  init(patient text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let patient = lines.map { line -> String in
      let isLimited = line.contains("within: ") || line.contains("throughout: ")
      guard !isLimited, line.contains(/^ +(see:|-) \{.*\}$/) else {
        return String(line.replacing(/within: [0-9.]+/, with: Self.limit))
      }
      return "\(line.dropLast()), \(Self.limit)}"
    }
    try self.init(patient.joined(separator: "\n"))
  }

  /// Long enough for a busy machine, and shorter than the patience of a test, so that the run names
  /// what nobody has seen.
  private static let limit = "within: 60"

  var path: String { folder.path(of: Self.name) }
}
