import ArgumentParser
import Journals

/// `matinee journal migrate`: makes a journal's tables in a database.
struct MigrateJournal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Make a journal's tables in a PostgreSQL database.",
    discussion: """
      Makes the tables in a schema of their own, matinee, or brings those of an older Matinee up to \
      date, all or nothing. Servers never do so by themselves. Stop them before you migrate. A \
      journal in a file needs no migration: a server brings it up to date when it opens it.

      Exit codes: 0 done, or there was nothing to do, 64 wrong usage, 65 a newer Matinee's, 69 no \
      such database.
      """)

  @Option(
    help: ArgumentHelp(
      "The database; what the address leaves out comes from PostgreSQL's own variables and files.",
      valueName: "postgresql://user@host/database"))
  var journal: JournalLocation

  func validate() throws {
    guard case .postgresql = journal else {
      throw ValidationError("--journal takes postgresql://USER@HOST/DATABASE here")
    }
  }

  func run() throws {
    guard case .postgresql(let address) = journal else { return }
    do throws(JournalError) {
      let (before, now) = try PostgreSQLMigration.run(address)
      print("\(journal): \(Self.text(before, now))")
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }

  private static func text(_ before: Int, _ now: Int) -> String {
    switch before {
    case now: "up to date at version \(now)"
    case 0: "made the tables of version \(now)"
    default: "migrated from version \(before) to \(now)"
    }
  }
}
