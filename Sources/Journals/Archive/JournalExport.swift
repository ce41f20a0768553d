import Foundation
import GRDB
import JSON
import Vocabulary

extension JournalArchive {
  /// Writes the whole journal as JSON Lines that explain themselves: an import makes a journal
  /// equal to this one of them, and exporting that one gives the same bytes.
  ///
  /// - Parameters:
  ///   - hasDevices: whether devices go along, with the secrets by which they resume, and their
  ///     late answers.
  ///   - output: gets whole lines, many at a time.
  /// - Throws: a ``JournalError``, or what the output throws.
  package func export(
    withDevices hasDevices: Bool, to output: ([UInt8]) throws -> Void
  ) throws {
    do {
      try database.read { database in
        var export = JournalExport(database)
        try export.run(hasDevices, output)
      }
    } catch  where error is DatabaseError || Damage(error) != nil {
      throw JournalError(error, path)
    }
  }
}

/// Writes a journal line by line, from one transaction.
private struct JournalExport: ~Copyable {
  private let database: Database
  private var writer = JSONWriter(capacity: JournalExport.chunkBytes * 2)
  private var parser = JSONParser(maximumBytes: RecordReader.maximumBytes)
  private var lines = 0

  /// How much is gathered before it is written out.
  private static let chunkBytes = 64 * 1024

  init(_ database: Database) {
    self.database = database
  }

  mutating func run(_ hasDevices: Bool, _ output: ([UInt8]) throws -> Void) throws {
    put(
      .header(
        version: ExportedLine.currentVersion, format: JournalFormat.current,
        hasDevices: hasDevices))
    if let clock = try database.storedClock() { put(.clock(clock)) }
    let answers = try StoredAnswers(database)
    var number = 0
    for stream in try database.storedStreams() {
      // A device that was set aside has its secret, too.
      guard hasDevices || !stream.kind.hasSuffix(AggregateKind.device.rawValue) else { continue }
      number += 1
      put(
        .stream(
          number, kind: stream.kind, name: stream.name,
          began: Instant(microseconds: stream.began),
          ended: stream.ended.map { Instant(microseconds: $0) }))
      try putRecords(of: stream, number, output)
      try put(answers, of: stream, number)
      try hand(to: output)
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
      try hand(to: output)
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

  /// The record, on one line whatever spaces it has.
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

  private mutating func hand(to output: ([UInt8]) throws -> Void) throws {
    guard writer.bytes.count >= Self.chunkBytes else { return }
    try output(writer.bytes)
    writer.removeAll()
  }
}
