import EventLoops
import GroupSessions
import JSON
import Journals
import MatineeTerminal
import Vocabulary

extension JournalOverview {
  /// How many streams of each kind are shown by default: a screenful.
  private static let shownStreams = 20

  /// The overview for people.
  func text(listingAll: Bool) -> String {
    var lines = [
      "\(path): \(sizeText); \(writer.text)",
      "schema \(schema), \(formatText)", summary,
    ]
    if let latest { lines.append("last event \(latest.calendarText)") }
    if let clock {
      lines.append("the group's time was last tied to boot \(clock.boot)")
      lines.append("  at \(clock.instant.calendarText)")
    }
    for kind in AggregateKind.allCases {
      lines += table(of: streams.filter { $0.kind == kind.rawValue }, kind.heading, listingAll)
    }
    lines += table(of: streams.filter(\.isSetAside), "set aside", true)
    if !notices.isEmpty { lines += ["", "damage found"] }
    lines += notices.map { "  \($0.at.calendarText)  \($0.text)" }
    return lines.map(\.onOneLine).joined(separator: "\n")
  }

  private var sizeText: String {
    bytes.sizeText + (logBytes.map { ", and \($0.sizeText) in its log" } ?? "")
  }

  private var summary: String {
    let known = streams.filter { !$0.isSetAside }
    let live = known.count { $0.ended == nil }
    let events = streams.reduce(0) { $0 + $1.events }
    return "\(counted(live, "stream")) live, \(known.count - live) ended, "
      + "\(streams.count - known.count) set aside as unreadable; \(counted(events, "event"))"
  }

  private var formatText: String {
    let formats = formats.map(String.init).joined(separator: " and ")
    return formats.isEmpty ? "no records" : "records in format \(formats)"
  }

  private func table(of streams: [Stream], _ title: String, _ listingAll: Bool) -> [String] {
    guard !streams.isEmpty else { return [] }
    let count = listingAll ? streams.count : Self.shownStreams
    var table = TextTable("NAME", "EVENTS", "KEPT", "SNAPSHOT", "ANSWERS", "BEGAN", "LAST", "ENDED")
    for stream in streams.suffix(count) {
      table.add(
        stream.isSetAside ? "\(stream.kind) \(stream.name)" : stream.name, "\(stream.events)",
        stream.range, stream.snapshot.map { "\($0)" } ?? "-",
        stream.kind == "device" ? "\(stream.answers)" : "-", stream.began.calendarText,
        stream.latest?.calendarText ?? "-", stream.ending)
    }
    let hidden = streams.count - min(count, streams.count)
    return ["", title] + table.lines.map { "  " + $0 }
      + (hidden > 0 ? ["  and \(hidden) older ones; --all lists them"] : [])
  }
}

extension AggregateKind {
  /// The heading of the kind's table.
  fileprivate var heading: String {
    switch self {
    case .group: "groups"
    case .session: "sessions"
    case .attachment: "attachments"
    case .device: "devices"
    case .user: "people"
    case .tray: "trays"
    case .name: "claimed names"
    }
  }
}

extension JournalOverview.Stream {
  fileprivate var range: String {
    guard let first, let last else { return "-" }
    return "\(first)–\(last)"
  }

  fileprivate var ending: String {
    guard let ended else { return "-" }
    return ended.calendarText + (reason.map { " (\($0.namelessText))" } ?? "")
  }
}

extension FileLockState {
  fileprivate var text: String {
    switch self {
    case .free: "no server writes to it"
    case .held(by: nil): "a server writes to it"
    case .held(by: let process?): "a server writes to it, process \(process)"
    }
  }
}

extension JournalOverview {
  /// The overview as one object on one line.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("path", path)
      writer.field("bytes", bytes)
      writer.field("logBytes", logBytes)
      writer.field("schema", schema)
      writer.field("formats", formats)
      writer.field("inUse", self.writer != .free)
      if case .held(by: let process?) = self.writer { writer.field("process", process) }
      writer.field("latest", latest)
      if let clock {
        writer.object("clock") { writer in
          writer.field("boot", clock.boot)
          writer.field("host", clock.host)
          writer.field("instant", clock.instant)
        }
      }
      writer.array("streams") { writer in
        for stream in streams { writer.object { stream.encodeFields(into: &$0) } }
      }
      writer.array("notices") { writer in
        for notice in notices {
          writer.object { writer in
            writer.field("at", notice.at)
            writer.field("text", notice.text)
          }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JournalOverview.Stream {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("kind", kind)
    writer.field("name", name)
    writer.field("events", events)
    writer.field("first", first)
    writer.field("last", last)
    writer.field("snapshot", snapshot)
    if kind == "device" { writer.field("answers", answers) }
    writer.field("began", began)
    writer.field("latest", latest)
    writer.field("ended", ended)
    writer.field("reason", reason?.name.rawValue)
    if isSetAside { writer.field("setAside", true) }
  }
}
