import ArgumentParser
import EventLoops
import Foundation
import Journals

/// `matinee journal import`: a journal from JSON Lines.
struct ImportJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a journal of an export.",
    discussion: """
      Takes in what matinee journal export wrote, into a journal that is new or empty: all of it, \
      or, if one line is wrong, nothing. A server started on it goes on where the other one was; \
      run only one of the two.

      Exit codes: 0 taken in, 64 wrong usage, 65 the export is broken, or a newer Matinee's, 66 no \
      such export, 73 the journal cannot be made, is not empty, or is in use.
      """)

  @Argument(help: ArgumentHelp("The export; - is standard input.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The journal to make.", valueName: "sqlite:path"))
  var journal: JournalLocation

  /// How much is read at once.
  private static let chunkBytes = 1 << 20

  func validate() throws {
    _ = try journal.path()
  }

  func run() throws {
    let path = try journal.path()
    guard let handle = file == "-" ? .standardInput : FileHandle(forReadingAtPath: file) else {
      throw complaint("\(file) cannot be read; check its name and permissions", 66)
    }
    let result = try load(path, from: handle)
    let counts = "\(counted(result.streams, "stream")), \(counted(result.events, "event"))"
    print("\(path): \(counts)")
    if !result.hasDevices {
      print(
        "the export has no devices: nobody can resume, and a server ends its groups and sessions")
    }
  }

  private func load(_ path: String, from handle: FileHandle) throws -> JournalImport {
    do {
      return try JournalImport(into: path, at: WallClock.read()) {
        [UInt8](try handle.read(upToCount: Self.chunkBytes) ?? Data())
      }
    } catch let error as BrokenExport {
      throw complaint("\(file), \(error); nothing was taken in", 65)
    } catch let error as JournalError {
      throw complaint("\(error)", 73)
    } catch {
      throw complaint("\(file) cannot be read: \(error.localizedDescription)", 66)
    }
  }
}
