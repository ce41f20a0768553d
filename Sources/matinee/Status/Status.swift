import ArgumentParser
import Vocabulary
import Wire

/// `matinee status`: asks a server what goes on.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a server's groups, sessions and participants.",
    discussion: """
      Where each participant's player is comes from its own last report, compared with where the \
      group was at that instant; the spread is the distance between the first and the last.

      Exit codes: 0 answered, 64 wrong usage, 69 no server there, 75 no answer in time.
      """)

  @OptionGroup var server: ServerArguments

  @Flag(help: "Print the server's answer as it is, a line of JSON for every hundred groups or so.")
  var json = false

  func run() throws {
    let answer = try server.ask(StatusQuestion(), as: UserID("status"))
    print(
      json ? answer.lines.joined(separator: "\n") : answer.report.text(of: server.server))
  }
}
