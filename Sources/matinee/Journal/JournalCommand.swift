import ArgumentParser

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
