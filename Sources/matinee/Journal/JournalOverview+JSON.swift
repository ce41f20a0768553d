import EventLoops
import GroupSessions
import JSON
import Journals
import Vocabulary
import Wire

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
