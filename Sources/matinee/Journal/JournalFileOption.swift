import ArgumentParser
import Journals

/// Which journal is to be read.
struct JournalFileOption: ParsableArguments {
  @Option(help: ArgumentHelp("The journal to read.", valueName: "sqlite:path"))
  var journal: JournalLocation = .standard

  func validate() throws {
    _ = try journal.path()
  }

  /// Opens it for reading; what keeps it from being read ends the program.
  func open() throws -> JournalArchive {
    let path = try journal.path()
    do throws(JournalError) {
      return try JournalArchive(path)
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

extension JournalLocation {
  /// The file's path.
  func path() throws -> String {
    guard case .sqlite(let path) = self else {
      throw ValidationError(
        "--journal takes sqlite:PATH here: what a server keeps in memory ends with the server")
    }
    return path
  }
}
