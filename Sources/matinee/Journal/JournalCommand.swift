import ArgumentParser
import Journals
import MatineeTerminal

/// `matinee journal`: inspects, checks and copies a server's journal.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Inspect, check, export and import a server's journal.",
    discussion: """
      A server writes its events to a journal, an SQLite file or a PostgreSQL database. inspect, \
      verify and export only read it, also while a server writes to it; from a database they copy \
      one moment of it. import fills a new one, so that export and import move a journal from a \
      file to a database or back. migrate makes the tables of a database. matinee replay shows \
      what happened in a session.
      """,
    subcommands: [
      InspectJournal.self, VerifyJournal.self, ExportJournal.self, ImportJournal.self,
      MigrateJournal.self,
    ])
}

/// The journal to read.
struct StoredJournalOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The journal to read: sqlite:PATH or postgresql://USER@HOST/DATABASE.", valueName: "where"))
  var journal: JournalLocation = .standard

  func validate() throws {
    try journal.mustBeStored()
  }
}

/// `matinee journal inspect`: summarizes a journal.
struct InspectJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Summarize a journal.",
    discussion: """
      Shows the file's size and versions, whether a server writes to it, and its streams. There is \
      a stream for each group, session, attachment, device, person (their in-app messages), tray \
      (their notifications) and claimed name, with its kept events, its last snapshot, and the \
      times of its beginning, its last event and its end. Then come reports of damage that a \
      server found. It only reads, also while a server writes.

      Exit codes: 0 shown, 64 wrong usage, 65 no journal or a newer Matinee's, 66 no such file, 69 \
      no such database.
      """)

  @OptionGroup var stored: StoredJournalOption

  @Flag(help: "List all streams, not only the latest of each kind.")
  var all = false

  @Flag(help: "Print one JSON object with all streams; times in microseconds since 1970.")
  var json = false

  func run() throws {
    let archive = try stored.journal.archive()
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
      also while a server writes. In a database, rows have no sums: PostgreSQL checks its pages \
      itself if it was set up with --data-checksums.

      Exit codes: 0 sound, 1 damaged or no journal, 64 wrong usage, 65 a newer or an older \
      Matinee's, 66 no such file, 69 no such database.
      """)

  @OptionGroup var stored: StoredJournalOption

  func run() throws {
    let verification = try verify()
    for line in verification.lines(of: stored.journal) { print(line) }
    if !verification.isSound { throw ExitCode(1) }
  }

  private func verify() throws -> JournalVerification {
    do throws(JournalError) {
      return try stored.journal.opened().verify()
    } catch .unreadable(_, let reason) {
      for line in ["\(stored.journal): damaged, or no journal", "findings:", "  \(reason)"] {
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
  func lines(of journal: JournalLocation) -> [String] {
    var lines = ["\(journal): \(isSound ? "sound" : "damaged")"]
    if case .sqlite = journal { lines.append("  the file and its indexes, checked by SQLite") }
    lines += [
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
