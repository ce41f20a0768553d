import GroupSessions
import JSON
import Journals
import MatineeTerminal
import Vocabulary
import Wire

/// A session's events as a timeline for people.
struct HistoryText {
  private let history: SessionHistory
  private let styling: TextStyling

  init(_ history: SessionHistory, _ styling: TextStyling) {
    self.history = history
    self.styling = styling
  }

  var lines: [String] {
    var narrator = SessionNarrator(history)
    let width = max(4, "\(history.last)".count)
    let timeWidth = max(8, history.events.last.map { since($0.at).count } ?? 0)
    return head
      + history.events.map { entry in
        let told = narrator.tell(entry)
        let place = "\(padded("\(entry.seq)", width))  \(padded(since(entry.at), timeWidth))"
        return "\(styling.styled(place, .dim))  \(styling.styled(told.text, told.weight.style))"
      }
  }

  private var head: [String] {
    let summary = history.summary
    let group = summary.group.map { " of group \($0)" } ?? ""
    let title = summary.title.map { ": “\($0)”" } ?? ""
    var lines = [styling.styled("session \(summary.session)\(group)\(title)", .bold)]
    let end = summary.ended.map { "ended \(since($0)) later" } ?? "live"
    lines.append(
      "began \(summary.began.calendarText), \(end); \(counted(history.events.count, "event"))")
    if !history.isWhole { lines.append(gap) }
    return lines
  }

  /// The note about events deleted by retention.
  private var gap: String {
    let removed = (history.events.first?.seq ?? history.last + 1) - 1
    let snapshot = history.snapshot.map { "; states are known from \($0.session.seq) on" } ?? ""
    return "the first \(counted(removed, "event")) are past retention\(snapshot)"
  }

  private func since(_ instant: Instant) -> String {
    (instant - history.summary.began).clockText
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension SessionHistory {
  /// A JSON line for the session and one for each event, which includes the text for people.
  var jsonLines: [String] {
    var narrator = SessionNarrator(self)
    var writer = JSONWriter()
    writer.object { summary.encodeFields(into: &$0) }
    let head = String(decoding: writer.bytes, as: UTF8.self)
    return [head]
      + events.map { entry in
        writer.removeAll()
        writer.object { writer in
          writer.field("seq", entry.seq)
          writer.field("at", entry.at)
          writer.field("since", (entry.at - summary.began).microseconds)
          writer.field("text", narrator.tell(entry).text)
          entry.event.encodeFields(into: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
      }
  }
}

extension SessionNarrator.Weight {
  fileprivate var style: TextStyling.Style {
    switch self {
    case .detail: .dim
    case .usual: .plain
    case .person: .bold
    case .end: .green
    }
  }
}

/// The result of looking up a session by its name or a prefix of it.
enum SessionChoice: Equatable {
  case one(ArchivedSession)
  case none
  /// The names with this prefix.
  case several([String])
}

extension [ArchivedSession] {
  /// The session of that name, or the only one with that prefix.
  func choice(_ text: String) -> SessionChoice {
    if let exact = last(where: { $0.session.text == text }) { return .one(exact) }
    let likely = filter { $0.session.text.hasPrefix(text) }
    guard let first = likely.first else { return .none }
    return likely.count == 1 ? .one(first) : .several(likely.map(\.session.text))
  }

  /// A table for people.
  var lines: [String] {
    guard !isEmpty else { return ["the journal has no sessions"] }
    var table = TextTable("SESSION", "GROUP", "ACTIVITY", "BEGAN", "LASTED", "EVENTS")
    for session in self {
      table.add(
        session.session.text, session.group?.text ?? "-", session.title.map { "“\($0)”" } ?? "-",
        session.began.calendarText, session.lengthText, "\(session.events)")
    }
    return table.lines
  }

  /// A JSON object for each session.
  var jsonLines: [String] {
    map { session in
      var writer = JSONWriter()
      writer.object { session.encodeFields(into: &$0) }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}

extension ArchivedSession {
  fileprivate var lengthText: String {
    guard let ended else { return "live" }
    return (ended - began).clockText + (reason.map { " (\($0.namelessText))" } ?? "")
  }

  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    writer.field("group", group)
    writer.field("title", title)
    writer.field("began", began)
    writer.field("ended", ended)
    writer.field("reason", reason?.name.rawValue)
    writer.field("events", events)
  }
}
