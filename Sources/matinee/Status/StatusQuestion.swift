import GroupSessions
import Vocabulary
import Wire

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
