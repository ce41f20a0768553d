import ArgumentParser
import GroupSessions
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

/// What goes on at a server: asked for in parts, if it has more groups than fit a report.
struct StatusQuestion: Question {
  struct Answer {
    /// The server's lines, one a part.
    var lines: [String]
    /// All of them together.
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
    // A server that repeats itself is not asked for ever.
    guard report.hasMore, let next = report.groups.last?.id, last.map({ $0 < next }) ?? true else {
      return .answered(all)
    }
    return .ask(.status(after: next))
  }
}
