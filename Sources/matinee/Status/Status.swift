import ArgumentParser
import GroupSessions
import MatineeTerminal
import Vocabulary
import Wire

/// `matinee status`: shows a server's groups and sessions.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a server's groups, sessions and participants.",
    usage: "matinee status [--admin-key-file <file> | --token-file <file>] [<options>]",
    discussion: """
      OFFSET is the difference between a participant's last position report and the group's \
      position at that instant. The spread is the difference between the largest and the smallest \
      offset.

      A server with keys or tokens shows all its groups only to its administrator, who gives \
      --admin-key-file, over an encrypted connection or on the server's own machine, or \
      --token-file with an administrator's token.

      Exit codes: 0 answered, 64 wrong usage, 66 no key or token in the file, 69 no server or it \
      refuses, 75 no answer in time.
      """)

  @Option(
    help: ArgumentHelp("The file with the administrator's key.", valueName: "file"),
    completion: .file())
  var adminKeyFile: String?

  @OptionGroup var server: ServerArguments

  @Flag(help: "Print the server's answer unchanged: a line of JSON per about a hundred groups.")
  var json = false

  func validate() throws {
    guard adminKeyFile == nil || server.tokenFile == nil else {
      throw ValidationError("give --admin-key-file or --token-file, not both")
    }
  }

  func run() throws {
    let answer =
      if let adminKeyFile {
        try server.ask(StatusQuestion(), withKeyIn: adminKeyFile)
      } else {
        try server.ask(StatusQuestion(), asAnybody: UserID("status"))
      }
    print(
      json
        ? answer.lines.joined(separator: "\n").escapedJSON : answer.report.text(of: server.server))
  }
}

/// Asks for a server's status, in parts if it has more groups than one report holds.
struct StatusQuestion: Question {
  struct Answer {
    /// The server's lines, one per part.
    var lines: [String]
    /// All parts merged.
    var report: StatusReport
  }

  private var answer: Answer?

  var firstRequest: Request { .status() }

  mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<Answer> {
    guard case .status(_, let report) = message else { return .none }
    let last = answer?.report.groups.last?.id
    var all = answer ?? Answer(lines: [], report: report)
    if answer != nil { all.report.append(report) }
    all.lines.append(line)
    answer = all
    // Stops if the server repeats itself, so that the questions end.
    guard report.hasMore, let next = report.groups.last?.id, last.map({ $0 < next }) ?? true else {
      return .answered(all)
    }
    return .ask(.status(after: next))
  }
}
