import ArgumentParser
import EventLoops
import Foundation
import Journals

/// `matinee journal export`: writes a journal as JSON Lines.
struct ExportJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a journal as JSON Lines.",
    discussion: """
      Writes one object per line: a header with versions, the clock, each stream followed by its \
      events, its snapshot and its remembered answers, and an end line with the number of lines. \
      Every line has a type, and every line of a stream has the stream's number:

        matinee journal export | jq -c 'select(.body.event? == "joined")'

      matinee journal import makes an equal journal from it. The export shows one moment of the \
      journal, also while a server writes to it, and changes nothing.

      An export contains secrets: with a device's resume token, anybody can take that device's \
      place. The output file is readable only by you. --without-secrets leaves out the devices and \
      the notification trays; use such an export for analysis. A server that starts from it knows \
      no devices, and ends all groups and sessions.

      Exit codes: 0 written, 64 wrong usage, 65 no journal or a newer Matinee's, 66 no such file, \
      69 no such database, 73 the output cannot be created, 74 it cannot be written.
      """)

  @OptionGroup var stored: StoredJournalOption

  @Option(
    help: ArgumentHelp(
      "The output, a file that does not exist yet; without it, standard output.",
      valueName: "file"), completion: .file())
  var output: String?

  @Flag(
    help: """
      Leave out the devices and the notification trays, because these hold resume tokens, push \
      tokens and the tokens of invitations.
      """)
  var withoutSecrets = false

  func run() throws {
    let archive = try stored.journal.archive()
    let handle = try open()
    do {
      try archive.export(withSecrets: !withoutSecrets) { try handle.write(contentsOf: Data($0)) }
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
      throw complaint("\(output) exists already; remove it, or choose another name", 73)
    }
    guard
      files.createFile(
        atPath: output, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: output)
    else {
      throw complaint("\(output) cannot be created; check the directory and its permissions", 73)
    }
    return handle
  }

  /// Removes an incomplete export.
  private func discard() throws {
    if let output { try FileManager.default.removeItem(atPath: output) }
  }
}

/// `matinee journal import`: makes a journal from JSON Lines.
struct ImportJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a journal from an export.",
    discussion: """
      Imports the output of matinee journal export into a new or empty journal. If one line is \
      wrong, nothing is imported. A server started on the result continues where the other one \
      was; run only one of the two.

      Exit codes: 0 imported, 64 wrong usage, 65 the export is broken or a newer Matinee's, 66 no \
      such export, 73 the journal cannot be created, is not empty, or is in use; a database must \
      have its tables: matinee journal migrate.
      """)

  @Argument(
    help: ArgumentHelp("The export; - is standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "The journal to fill: sqlite:PATH or postgresql://USER@HOST/DATABASE.", valueName: "where"))
  var journal: JournalLocation

  /// How many bytes are read at once.
  private static let chunkBytes = 1 << 20

  func validate() throws {
    try journal.mustBeStored()
  }

  func run() throws {
    guard let handle = file == "-" ? .standardInput : FileHandle(forReadingAtPath: file) else {
      throw complaint("\(file): \(unreadableFile(file)); name the export", 66)
    }
    let result = try load(from: handle)
    let counts = "\(counted(result.streams, "stream")), \(counted(result.events, "event"))"
    print("\(journal): \(counts)")
    if !result.hasSecrets {
      print(
        "the export has no devices and trays: no device can resume, and a server ends all groups and sessions"
      )
    }
  }

  private func load(from handle: FileHandle) throws -> JournalImport {
    func input() throws -> [UInt8] {
      [UInt8](try handle.read(upToCount: Self.chunkBytes) ?? Data())
    }
    do {
      switch journal {
      case .memory: throw complaint("a journal in memory exists only inside its server", 64)
      case .sqlite(let path):
        return try JournalImport(into: path, at: WallClock.read(), reading: input)
      case .postgresql(let address): return try JournalImport(into: address, reading: input)
      }
    } catch let error as BrokenExport {
      throw complaint("\(file), \(error); nothing was imported", 65)
    } catch let error as JournalError {
      throw complaint("\(error)", 73)
    } catch {
      throw complaint("\(file) cannot be read: \(error.localizedDescription)", 66)
    }
  }
}
