import ArgumentParser
import Journals

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
