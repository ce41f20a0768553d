import GroupSessions
import JSON
import Journals
import Vocabulary
import Wire

/// What a text that names a session, or begins its name, stands for.
enum SessionChoice: Equatable {
  case one(SessionSummary)
  case none
  /// The names that begin so.
  case several([String])
}

extension [SessionSummary] {
  /// The session of that name, or the only one whose name begins so.
  func choice(_ text: String) -> SessionChoice {
    if let exact = last(where: { $0.session.text == text }) { return .one(exact) }
    let likely = filter { $0.session.text.hasPrefix(text) }
    guard let first = likely.first else { return .none }
    return likely.count == 1 ? .one(first) : .several(likely.map(\.session.text))
  }

  /// A table of them for people.
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

  /// An object each.
  var jsonLines: [String] {
    map { session in
      var writer = JSONWriter()
      writer.object { session.encodeFields(into: &$0) }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }
}

extension SessionSummary {
  fileprivate var lengthText: String {
    guard let ended else { return "goes on" }
    return (ended - began).clockText + (reason.map { " (\($0.name))" } ?? "")
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
