import ArgumentParser
import Journals

/// `matinee journal`: looks at, checks and copies what a server keeps.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Look at, check, export and import what a server keeps.",
    discussion: """
      A server keeps what happens in a journal, an SQLite file. inspect, verify and export only \
      read it, also while a server writes to it; import fills a new one. What happened in a \
      session is told by matinee replay.
      """,
    subcommands: [
      InspectJournal.self, VerifyJournal.self, ExportJournal.self, ImportJournal.self,
    ])
}

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

/// `matinee journal inspect`: what is in a journal, counted.
struct InspectJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a journal holds.",
    discussion: """
      Shows the file's size and versions, whether a server writes to it, and its streams: one for \
      each group, session, person (their in-app messages) and device, with the events that are \
      kept, the last snapshot, and when it began, went on last and ended. Then what a server once \
      found damaged, and what became of it. It only reads, also while a server writes.

      Exit codes: 0 shown, 64 wrong usage, 65 no journal, or a newer Matinee's, 66 no such file.
      """)

  @OptionGroup var file: JournalFileOption

  @Flag(help: "List every stream, not only the latest of each kind.")
  var all = false

  @Flag(help: "Print one object of JSON, with every stream; times in microseconds since 1970.")
  var json = false

  func run() throws {
    let archive = try file.open()
    do throws(JournalError) {
      let overview = try archive.overview()
      print(json ? overview.json : overview.text(listingAll: all))
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

/// `matinee journal verify`: reads a whole journal, and says whether it is sound.
struct VerifyJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a journal from end to end.",
    discussion: """
      Lets SQLite check the file and its indexes, then reads every record and its sum: a byte that \
      has changed is found. Every stream is replayed event by event: no number may be missing, and \
      where a snapshot was taken, the replay must come to the same state. Late answers must be \
      readable. It only reads, also while a server writes.

      Exit codes: 0 sound, 1 damaged, or no journal at all, 64 wrong usage, 65 a newer Matinee's, \
      66 no such file.
      """)

  @OptionGroup var file: JournalFileOption

  func run() throws {
    let path = try file.journal.path()
    let verification = try verify(path)
    for line in verification.lines(of: path) { print(line) }
    if !verification.isSound { throw ExitCode(1) }
  }

  private func verify(_ path: String) throws -> JournalVerification {
    do throws(JournalError) {
      return try JournalArchive(path).verify()
    } catch .unreadable(_, let reason) {
      for line in ["\(path): damaged, or no journal", "what is wrong:", "  \(reason)"] {
        print(line)
      }
      throw ExitCode(1)
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

extension JournalVerification {
  /// What was checked and what was found, for people.
  func lines(of path: String) -> [String] {
    var lines = [
      "\(path): \(isSound ? "sound" : "damaged")",
      "  the file and its indexes, as SQLite sees them",
      "  \(counted(streams, "stream")), \(counted(events, "event")), "
        + "\(replayed) of them replayed from a beginning or a snapshot",
      "  \(counted(snapshots, "snapshot")), \(comparedSnapshots) of them compared with the replay",
      "  \(counted(answers, "late answer"))",
    ]
    if shortened > 0 {
      lines.append("  \(counted(shortened, "stream")) without a beginning, which is past retention")
    }
    if !setAside.isEmpty {
      lines.append("  set aside before, as unreadable: \(setAside.joined(separator: ", "))")
    }
    if !isSound {
      lines.append("what is wrong:")
      lines += damage.map { "  \($0)" }
      if furtherDamage > 0 { lines.append("  and \(counted(furtherDamage, "thing")) more") }
    }
    return lines.map(\.onOneLine)
  }
}
