import ArgumentParser
import Journals
import MatineeTerminal

/// `matinee journal`: inspects, checks and copies a server's journal.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Inspect, check, export and import a server's journal.",
    discussion: """
      A server writes its events to a journal, an SQLite file. inspect, verify and export only \
      read it, also while a server writes to it. import fills a new one. matinee replay shows what \
      happened in a session.
      """,
    subcommands: [
      InspectJournal.self, VerifyJournal.self, ExportJournal.self, ImportJournal.self,
    ])
}

/// The journal to read.
struct JournalFileOption: ParsableArguments {
  @Option(help: ArgumentHelp("The journal to read.", valueName: "sqlite:path"))
  var journal: JournalLocation = .standard

  func validate() throws {
    _ = try journal.path()
  }

  /// Opens it for reading; an error ends the program.
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
        "--journal takes sqlite:PATH here: a journal in memory exists only inside its server")
    }
    return path
  }
}

/// `matinee journal inspect`: summarizes a journal.
struct InspectJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Summarize a journal.",
    discussion: """
      Shows the file's size and versions, whether a server writes to it, and its streams. There is \
      a stream for each group, session, person (their in-app messages), tray (their notifications) \
      and device, with its kept events, its last snapshot, and the times of its beginning, its last \
      event and its end. Then come reports of damage that a server found. It only reads, also \
      while a server writes.

      Exit codes: 0 shown, 64 wrong usage, 65 no journal or a newer Matinee's, 66 no such file.
      """)

  @OptionGroup var file: JournalFileOption

  @Flag(help: "List all streams, not only the latest of each kind.")
  var all = false

  @Flag(help: "Print one JSON object with all streams; times in microseconds since 1970.")
  var json = false

  func run() throws {
    let archive = try file.open()
    do throws(JournalError) {
      let overview = try archive.overview()
      print(json ? overview.json.escapedJSON : overview.text(listingAll: all))
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

/// `matinee journal verify`: checks a whole journal.
struct VerifyJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a journal from end to end.",
    discussion: """
      Lets SQLite check the file and its indexes, then checks the sum of every record, which \
      reveals any changed byte. Every stream is replayed event by event: no number may be missing, \
      and the replay must equal the snapshot. Remembered answers must be readable. It only reads, \
      also while a server writes.

      Exit codes: 0 sound, 1 damaged or no journal, 64 wrong usage, 65 a newer Matinee's, 66 no \
      such file.
      """)

  @OptionGroup var file: JournalFileOption

  func run() throws {
    let path = try file.journal.path()
    let verification = try verify(path)
    for line in verification.lines(of: path) { print(line.onOneLine) }
    if !verification.isSound { throw ExitCode(1) }
  }

  private func verify(_ path: String) throws -> JournalVerification {
    do throws(JournalError) {
      return try JournalArchive(path).verify()
    } catch .unreadable(_, let reason) {
      for line in ["\(path): damaged, or no journal", "findings:", "  \(reason)"] {
        print(line)
      }
      throw ExitCode(1)
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

extension JournalVerification {
  /// The checks and findings, for people.
  func lines(of path: String) -> [String] {
    var lines = [
      "\(path): \(isSound ? "sound" : "damaged")",
      "  the file and its indexes, checked by SQLite",
      "  \(counted(streams, "stream")), \(counted(events, "event")), "
        + "\(replayed) of them replayed from a beginning or a snapshot",
      "  \(counted(snapshots, "snapshot")), \(comparedSnapshots) of them compared with the replay",
      "  \(counted(answers, "remembered answer"))",
    ]
    if shortened > 0 {
      lines.append("  \(counted(shortened, "stream")) whose first events are past retention")
    }
    if !setAside.isEmpty {
      lines.append("  set aside as unreadable: \(setAside.joined(separator: ", "))")
    }
    if !isSound {
      lines.append("findings:")
      lines += damage.map { "  \($0)" }
      if furtherDamage > 0 { lines.append("  and \(furtherDamage) more") }
    }
    return lines.map(\.onOneLine)
  }
}
