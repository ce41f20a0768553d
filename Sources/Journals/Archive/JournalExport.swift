import GRDB
package import JSON
package import Vocabulary
package import Wire

extension JournalArchive {
  /// Writes the whole journal as self-describing JSON Lines.
  ///
  /// An import of them makes an equal journal, and an export of that one writes the same bytes.
  ///
  /// - Parameters:
  ///   - hasSecrets: whether streams with secrets are included: devices with their resume tokens
  ///     and remembered answers, and trays with push tokens and the tokens of invitations.
  ///   - output: receives whole lines, many at a time.
  /// - Throws: a ``JournalError``, or an error of `output`.
  package func export(
    withSecrets hasSecrets: Bool, to output: ([UInt8]) throws -> Void
  ) throws {
    do {
      try database.read { database in
        var export = JournalExport(database)
        try export.run(hasSecrets, output)
      }
    } catch  where error is DatabaseError || Damage(error) != nil {
      throw JournalError(error, path)
    }
  }
}

/// Writes a journal line by line, from one read transaction.
private struct JournalExport: ~Copyable {
  private let database: Database
  private var writer = JSONWriter(capacity: JournalExport.chunkBytes * 2)
  private var parser = JSONParser(
    maximumBytes: RecordReader.maximumBytes, maximumDepth: JSONParser.maximumWrittenDepth)
  private var lines = 0

  /// How many bytes are collected before they are handed to the output.
  private static let chunkBytes = 64 * 1024

  init(_ database: Database) {
    self.database = database
  }

  mutating func run(_ hasSecrets: Bool, _ output: ([UInt8]) throws -> Void) throws {
    put(
      .header(
        version: ExportedLine.currentVersion, format: JournalFormat.current,
        hasSecrets: hasSecrets))
    if let clock = try database.storedClock() { put(.clock(clock)) }
    let answers = try StoredAnswers(database)
    var number = 0
    for stream in try database.storedStreams() {
      // A stream that was set aside has its secrets, too.
      guard
        hasSecrets
          || !AggregateKind.haveSecrets.contains(where: { stream.kind.hasSuffix($0.rawValue) })
      else { continue }
      number += 1
      put(
        .stream(
          number, kind: stream.kind, name: stream.name,
          began: Instant(microseconds: stream.began),
          ended: stream.ended.map { Instant(microseconds: $0) }))
      try putRecords(of: stream, number, output)
      try put(answers, of: stream, number)
      try flush(to: output)
    }
    put(.end(lines: lines))
    try output(writer.bytes)
  }

  private mutating func putRecords(
    of stream: JournalRow.Stream, _ number: Int, _ output: ([UInt8]) throws -> Void
  ) throws {
    try database.eachStoredEvent(of: stream.id) { event in
      put(
        .event(
          stream: number, seq: Int(event.seq), at: event.instant, body(event.format, event.body)))
      try flush(to: output)
    }
    if let snapshot = try database.storedSnapshot(of: stream.id) {
      put(
        .snapshot(
          stream: number, seq: Int(snapshot.seq), at: snapshot.instant,
          body(snapshot.format, snapshot.body)))
    }
  }

  private mutating func put(
    _ answers: StoredAnswers, of stream: JournalRow.Stream, _ number: Int
  ) throws {
    try answers.each(of: stream.id) { answer in
      put(
        .answer(
          stream: number, slot: Int(answer.slot), number: Int(answer.number),
          request: answer.request, body(answer.format, answer.body)))
    }
  }

  private mutating func put(_ line: ExportedLine) {
    line.write(to: &writer)
    lines += 1
  }

  /// The record on one line, without the spaces between its tokens.
  private mutating func body(_ format: Int, _ text: String) -> ExportedBody {
    do throws(DecodingFlaw) {
      let minified = try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
        try object.rawJSON(maximum: .max)
      }
      return ExportedBody(format: format, text: minified.text)
    } catch {
      return ExportedBody(format: format, text: text, isJSON: false)
    }
  }

  private mutating func flush(to output: ([UInt8]) throws -> Void) throws {
    guard writer.bytes.count >= Self.chunkBytes else { return }
    try output(writer.bytes)
    writer.removeAll()
  }
}

/// A line of an exported journal: one JSON object.
///
/// The order is a header, the clock, each stream followed by its events, its snapshot and its
/// answers, and an end line; without the end line the file is cut off. Every line names its stream,
/// so that a search can pick out single lines. Times are microseconds of the group's time.
package enum ExportedLine: Equatable {
  case header(version: Int, format: Int, hasSecrets: Bool)
  case clock(ClockTie)
  /// Streams are numbered 1, 2, 3 … in the order in which they began.
  case stream(Int, kind: String, name: String, began: Instant, ended: Instant?)
  case event(stream: Int, seq: Int, at: Instant, ExportedBody)
  /// A snapshot taken at that instant.
  case snapshot(stream: Int, seq: Int, at: Instant, ExportedBody)
  case answer(stream: Int, slot: Int, number: Int, request: RequestID, ExportedBody)
  /// How many lines precede this one.
  case end(lines: Int)

  /// The version that this build writes, and the newest that it reads.
  ///
  /// A change that older builds would misread takes the next number.
  static let currentVersion = 1
}

/// A record's body as stored in the journal.
package struct ExportedBody: Equatable {
  package let format: Int
  package let text: String
  /// Whether the text is a JSON object; a damaged body is not, and is exported as text.
  var isJSON = true
}

/// The kinds of lines, as spelled in `"type"`.
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
  /// Writes the line and its line ending.
  func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
    writer.endLine()
  }

  private func encodeFields(into writer: inout JSONWriter) {
    writer.field("type", type.rawValue)
    switch self {
    case .header(let version, let format, let hasSecrets):
      writer.field("export", version)
      writer.field("format", format)
      writer.field("devices", hasSecrets)
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

  /// Decodes what `write(to:)` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("type", among: ExportedLineType.self) {
    case .journal:
      self = .header(
        version: try object.int("export"), format: try object.int("format"),
        hasSecrets: try object.bool("devices"))
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

/// Why an exported journal cannot be imported: the line and the reason.
package struct BrokenExport: Error, Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}
