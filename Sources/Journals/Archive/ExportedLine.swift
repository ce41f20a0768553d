import JSON
import Vocabulary
import Wire

/// A line of an exported journal: one JSON object.
///
/// A header, the clock, then each stream followed by its events, its snapshot and its answers, and
/// an end, without which the file is cut off. Everything says which stream it belongs to, so that
/// lines can be picked out one by one. Times are microseconds of the group's time.
enum ExportedLine: Equatable {
  case header(version: Int, format: Int, hasDevices: Bool)
  case clock(ClockTie)
  /// Streams are numbered 1, 2, 3 … in the order in which they began.
  case stream(Int, kind: String, name: String, began: Instant, ended: Instant?)
  case event(stream: Int, seq: Int, at: Instant, ExportedBody)
  /// Taken at that instant.
  case snapshot(stream: Int, seq: Int, at: Instant, ExportedBody)
  case answer(stream: Int, slot: Int, number: Int, request: RequestID, ExportedBody)
  /// How many lines stand before this one.
  case end(lines: Int)

  /// The version that this build writes, and the newest that it reads; a change that older builds
  /// would misread gets the next number.
  static let currentVersion = 1
}

/// A record as it stands in the journal.
struct ExportedBody: Equatable {
  let format: Int
  let text: String
  /// Whether the text is a JSON object; what is none was damaged, and is exported as it is.
  var isJSON = true
}

/// The kinds of lines, as `"type"` spells them.
private enum ExportedLineType: String, CaseIterable {
  case journal
  case clock
  case stream
  case event
  case snapshot
  case answer
  case end
}

extension ExportedLine {
  /// Writes the line, its ending included.
  func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
    writer.endLine()
  }

  private func encodeFields(into writer: inout JSONWriter) {
    writer.field("type", type.rawValue)
    switch self {
    case .header(let version, let format, let hasDevices):
      writer.field("export", version)
      writer.field("format", format)
      writer.field("devices", hasDevices)
    case .clock(let tie):
      writer.field("boot", tie.boot)
      writer.field("host", tie.host)
      writer.field("instant", tie.instant)
    case .stream(let number, let kind, let name, let began, let ended):
      writer.field("stream", number)
      writer.field("kind", kind)
      writer.field("name", name)
      writer.field("began", began)
      writer.field("ended", ended)
    case .event(let stream, let seq, let at, let body):
      writer.field("stream", stream)
      writer.field("seq", seq)
      writer.field("at", at)
      body.encodeFields(into: &writer)
    case .snapshot(let stream, let seq, let at, let body):
      writer.field("stream", stream)
      writer.field("seq", seq)
      writer.field("at", at)
      body.encodeFields(into: &writer)
    case .answer(let stream, let slot, let number, let request, let body):
      writer.field("stream", stream)
      writer.field("slot", slot)
      writer.field("number", number)
      writer.field("request", request)
      body.encodeFields(into: &writer)
    case .end(let lines): writer.field("lines", lines)
    }
  }

  private var type: ExportedLineType {
    switch self {
    case .header: .journal
    case .clock: .clock
    case .stream: .stream
    case .event: .event
    case .snapshot: .snapshot
    case .answer: .answer
    case .end: .end
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("type", among: ExportedLineType.self) {
    case .journal:
      self = .header(
        version: try object.int("export"), format: try object.int("format"),
        hasDevices: try object.bool("devices"))
    case .clock:
      self = .clock(
        ClockTie(
          boot: try object.string("boot", maximum: .max),
          host: HostTime(microseconds: try object.int64("host")),
          instant: try object.moment("instant")))
    case .stream:
      self = .stream(
        try object.int("stream"), kind: try object.string("kind", maximum: .max),
        name: try object.string("name", maximum: .max), began: try object.moment("began"),
        ended: object.has("ended") ? try object.moment("ended") : nil)
    case .event:
      self = .event(
        stream: try object.int("stream"), seq: try object.int("seq"), at: try object.moment("at"),
        try ExportedBody(decoding: object))
    case .snapshot:
      self = .snapshot(
        stream: try object.int("stream"), seq: try object.int("seq"), at: try object.moment("at"),
        try ExportedBody(decoding: object))
    case .answer:
      self = .answer(
        stream: try object.int("stream"), slot: try object.int("slot"),
        number: try object.int("number"), request: try object.int64("request"),
        try ExportedBody(decoding: object))
    case .end: self = .end(lines: try object.int("lines"))
    }
  }
}

extension ExportedBody {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("format", format)
    if isJSON {
      writer.field("body", JSONText(validated: text))
    } else {
      writer.field("text", text)
    }
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    format = try object.int("format")
    isJSON = !object.has("text")
    text =
      isJSON
      ? try object.object("body").rawJSON(maximum: .max).text
      : try object.string("text", maximum: .max)
  }
}

extension JSONObject {
  fileprivate func moment(_ name: String) throws(DecodingFlaw) -> Instant {
    Instant(microseconds: try int64(name))
  }
}
