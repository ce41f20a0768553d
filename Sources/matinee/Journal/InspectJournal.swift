import ArgumentParser
import Journals

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
