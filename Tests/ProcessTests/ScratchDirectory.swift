import EventLoops

/// A directory for journals and their exports, gone when the test lets go of it.
final class ScratchDirectory {
  private let directory: PrivateDirectory
  private var names: [String] = []

  init() throws {
    directory = try PrivateDirectory(prefix: "matinee-journal-")
  }

  deinit {
    directory.remove(files: names.flatMap { [$0, "\($0)-wal", "\($0)-shm", "\($0).lock"] })
  }

  func path(of name: String) -> String {
    if !names.contains(name) { names.append(name) }
    return directory.path(of: name)
  }
}
