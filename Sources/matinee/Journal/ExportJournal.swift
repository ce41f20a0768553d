import ArgumentParser
import EventLoops
import Foundation
import Journals

/// `matinee journal export`: a journal as JSON Lines.
struct ExportJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a journal as JSON Lines.",
    discussion: """
      One object a line: a header with versions, the clock, then every stream followed by its \
      events, its snapshot and its late answers, and an end that tells whether any is missing. Every \
      line has a type, and all but the first and last say which stream they belong to:
        matinee journal export | jq -c 'select(.type == "event" and .body.event == "joined")'
      matinee journal import makes an equal journal of it. It only reads, also while a server \
      writes, and shows one moment of the journal.

      An export holds secrets: with a device's resume token, anybody can take that device's place. \
      A file is made for your eyes only. --without-secrets leaves devices out: such an export is to \
      be looked at. A server that goes on from it knows nobody, and ends its groups and sessions.

      Exit codes: 0 written, 64 wrong usage, 65 no journal, or a newer Matinee's, 66 no such file, \
      73 the output cannot be made, 74 it cannot be written.
      """)

  @OptionGroup var file: JournalFileOption

  @Option(
    help: ArgumentHelp(
      "Where to write it, a file that is not there yet; standard output if not given.",
      valueName: "file"))
  var output: String?

  @Flag(help: "Leave devices out, and with them their resume tokens and late answers.")
  var withoutSecrets = false

  func run() throws {
    let archive = try file.open()
    let handle = try open()
    do {
      try archive.export(withDevices: !withoutSecrets) { try handle.write(contentsOf: Data($0)) }
      if output != nil { try handle.close() }
    } catch let error as JournalError {
      try discard()
      throw complaint("\(error)", error.readingExitCode)
    } catch {
      try discard()
      let place = output ?? "standard output"
      throw complaint("\(place) cannot be written: \(error.localizedDescription)", 74)
    }
  }

  private func open() throws -> FileHandle {
    guard let output else { return .standardOutput }
    let files = FileManager.default
    guard !files.fileExists(atPath: output) else {
      throw complaint("\(output) is there already; remove it, or choose another name", 73)
    }
    guard
      files.createFile(
        atPath: output, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: output)
    else {
      throw complaint("\(output) cannot be made; check the directory and its permissions", 73)
    }
    return handle
  }

  /// A part of an export is of no use.
  private func discard() throws {
    if let output { try FileManager.default.removeItem(atPath: output) }
  }
}

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
