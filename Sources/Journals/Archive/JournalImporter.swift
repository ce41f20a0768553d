import Coordination
import Foundation
import GRDB
import JSON
package import Vocabulary
import Wire

/// Imports an exported journal line by line, in one transaction, and validates every line.
struct JournalImporter: ~Copyable {
  private let database: Database
  private var parser = JSONParser(
    maximumBytes: JournalImport.lineBytes, maximumDepth: JSONParser.maximumWrittenDepth)
  private var reader = RecordReader()
  private var result = JournalImport.empty
  private var line = 0
  private var stream: Stream?
  /// The aggregate of that stream; `nil` if it was set aside.
  private var aggregate: AggregateID?
  /// The number of live streams so far.
  private var live = 0
  private var hasEnded = false

  private struct Stream {
    let number: Int
    let kind: AggregateKind?
    let isOver: Bool
    /// The numbers of the first and the last event so far.
    var first: Int?
    var seq: Int?
    var snapshot: Int?
    /// The taken slots of the device's ring.
    var slots: Set<Int> = []
  }

  init(_ database: Database) {
    self.database = database
  }

  /// Imports the next line; `nil` stands for a line that is too long.
  mutating func take(_ bytes: [UInt8]?) throws {
    line += 1
    guard let bytes else { throw broken("it is longer than any record") }
    guard !hasEnded else { throw broken("the file continues after its end line") }
    let content: ExportedLine
    do throws(DecodingFlaw) {
      content = try parser.parse(bytes.span) { (object) throws(DecodingFlaw) in
        try ExportedLine(decoding: object)
      }
    } catch {
      throw broken(line == 1 ? "this is not an exported journal. \(error)" : "\(error)")
    }
    do {
      try take(content)
    } catch let error as BrokenExport {
      throw error
    } catch let error as DatabaseError {
      guard error.resultCode == .SQLITE_CONSTRAINT else { throw error }
      throw broken("it appears twice (\(error.message ?? "\(error.resultCode)"))")
    } catch {
      throw broken("\(error)")
    }
  }

  /// The result of the import.
  ///
  /// - Throws: if the end line is missing.
  func finish() throws(BrokenExport) -> JournalImport {
    guard hasEnded else {
      throw BrokenExport(line: line + 1, reason: "the file is cut off: its last line is missing")
    }
    return result
  }

  private mutating func take(_ content: ExportedLine) throws {
    if case .header = content {
    } else if line == 1 {
      throw broken("this is not an exported journal: a line of type journal must come first")
    }
    switch content {
    case .header(let version, let format, let hasSecrets):
      try checkHeader(version, format)
      result.hasSecrets = hasSecrets
    case .clock(let tie):
      try database.insertClock(tie)
    case .stream(let number, let kind, let name, let began, let ended):
      try begin(number, kind, name, began, ended)
    case .event(let number, let seq, let at, let body): try keep(number, seq, at, body)
    case .snapshot(let number, let seq, let at, let body):
      try keep(snapshot: number, seq, at, body)
    case .answer(let number, let slot, let place, let request, let body):
      guard try current(number).kind == .device else { throw broken("only devices have answers") }
      guard stream?.slots.insert(slot).inserted == true else {
        throw broken("it appears twice (an answer in slot \(slot))")
      }
      _ = try reader.outcome(body.text, format: body.format)
      try database.insertAnswer(
        of: number, slot: slot, number: place, request: request, body)
    case .end(let lines):
      try checkStream()
      guard lines == line - 1 else {
        throw broken("\(lines) lines should precede this one, not \(line - 1)")
      }
      try database.setTally(live, last: Int64(result.streams))
      hasEnded = true
    }
  }

  private func checkHeader(_ version: Int, _ format: Int) throws(BrokenExport) {
    guard line == 1 else { throw broken("only the first line may be of type journal") }
    guard version <= ExportedLine.currentVersion, format <= JournalFormat.current else {
      throw broken(
        "a newer Matinee exported it (export \(version), format \(format)); this one reads up to "
          + "export \(ExportedLine.currentVersion), format \(JournalFormat.current)")
    }
  }

  private mutating func begin(
    _ number: Int, _ kind: String, _ name: String, _ began: Instant, _ ended: Instant?
  ) throws {
    try checkStream()
    guard number == result.streams + 1 else {
      throw broken("stream \(result.streams + 1) should come next, not \(number)")
    }
    let known = AggregateKind(rawValue: kind)
    guard known != nil || ended != nil else { throw broken("there is no live \(kind)") }
    result.streams = number
    if ended == nil { live += 1 }
    stream = Stream(number: number, kind: known, isOver: ended != nil)
    aggregate = known.map { AggregateID($0, name) }
    try database.insertStream(number, kind: kind, name: name, began: began, ended: ended)
  }

  private mutating func keep(_ number: Int, _ seq: Int, _ at: Instant, _ body: ExportedBody) throws
  {
    let stream = try current(number)
    guard seq > 0, seq < .max, stream.seq.map({ seq == $0 + 1 }) ?? true || stream.kind == nil
    else {
      throw broken("event \((stream.seq ?? 0) + 1) should come next, not \(seq)")
    }
    if let aggregate {
      let event = try reader.event(body.text, of: aggregate.kind, format: body.format)
      var replay = StreamReplay()
      if seq == 1 { try replay.take(event, of: aggregate, at: at) }
    }
    self.stream?.seq = seq
    if stream.first == nil { self.stream?.first = seq }
    result.events += 1
    try database.insertEvent(of: number, seq, at: at, body)
  }

  private mutating func keep(
    snapshot number: Int, _ seq: Int, _ at: Instant, _ body: ExportedBody
  ) throws {
    let stream = try current(number)
    guard stream.snapshot == nil else { throw broken("it appears twice (a snapshot)") }
    if let kind = stream.kind {
      guard let state = try reader.state(body.text, of: kind, format: body.format),
        state.seq == seq, seq < .max
      else { throw broken("it is no snapshot at \(seq)") }
    }
    self.stream?.snapshot = seq
    try database.insertSnapshot(of: number, seq, at: at, body)
  }

  /// Checks that a server could start from the stream just completed.
  private func checkStream() throws(BrokenExport) {
    guard let stream, stream.kind != nil, !stream.isOver else { return }
    let first = stream.first ?? (stream.snapshot ?? 0) + 1
    let isWhole = first == 1 && stream.seq != nil || first <= (stream.snapshot ?? 0) + 1
    let isLong = (stream.seq ?? .max) >= stream.snapshot ?? 0
    guard isWhole, isLong, stream.seq != nil || stream.snapshot != nil else {
      throw broken("events of stream \(stream.number), before this line, are missing")
    }
  }

  private func current(_ number: Int) throws(BrokenExport) -> Stream {
    guard let stream, stream.number == number else {
      throw broken("it belongs to stream \(number), which is not the current one")
    }
    return stream
  }

  private func broken(_ reason: String) -> BrokenExport { BrokenExport(line: line, reason: reason) }
}

/// The result of an import.
package struct JournalImport: Equatable, Sendable {
  package internal(set) var streams = 0
  package internal(set) var events = 0
  /// Whether the export includes devices.
  ///
  /// Without them a server finds no devices, and ends the sessions that it finds.
  package internal(set) var hasSecrets = true

  /// The longest line: the longest record and the fields around it.
  fileprivate static let lineBytes = RecordReader.maximumBytes + 64 * 1024

  /// Fills an empty journal from an export, all or nothing.
  ///
  /// - Parameters:
  ///   - path: the file, created if missing; no other process may write to it during the import.
  ///   - now: the time in the name of a file that is set aside.
  ///   - input: returns the next bytes of the export, or none at its end.
  /// - Throws: a ``JournalError`` about the file, a ``BrokenExport`` about a line, or an error of
  ///   `input`.
  package init(
    into path: String, at now: Instant, reading input: () throws -> [UInt8]
  ) throws {
    // Checked read-only first, so that a damaged file, or one that is no journal, stays unchanged.
    if try Self.holdsSomething(path) {
      try JournalArchive(path).read { try Self.checkIsEmpty($0, path) }
    }
    let isNew = !JournalFiles.exist(path)
    let file = try JournalFile(path, retention: .zero, limits: Limits(), at: now)
    do {
      self = try file.access.database.write { database in
        try Self.checkIsEmpty(database, path)
        return try Self.run(database, input)
      }
    } catch {
      if isNew {
        // Else a server would begin with the empty file. The lock stays, as every lock does.
        try file.access.database.close()
        try JournalFiles.remove(file.access.database.path)
      }
      throw error is DatabaseError ? JournalError(error, path) : error
    }
  }

  private init() {}

  static let empty = JournalImport()

  private static func holdsSomething(_ path: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.size] as? Int != 0
  }

  private static func checkIsEmpty(_ database: Database, _ path: String) throws {
    guard try Bool.fetchOne(database, sql: ArchiveSQL.isEmpty) == true else {
      throw JournalError.notEmpty(path: path)
    }
  }

  static func run(
    _ database: Database, _ input: () throws -> [UInt8]
  ) throws -> JournalImport {
    var importer = JournalImporter(database)
    var splitter = LineSplitter(maximumLineBytes: lineBytes)
    var isAtEnd = false
    while !isAtEnd {
      var chunk = try input()
      isAtEnd = chunk.isEmpty
      // The last line may lack its line ending; this adds it.
      if isAtEnd, splitter.keptBytes > 0 { chunk = [UInt8(ascii: "\n")] }
      var lines: [[UInt8]?] = []
      splitter.split(chunk.span) { line in
        lines.append(
          [UInt8](capacity: line.count) { output in
            for index in line.indices { output.append(line[index]) }
          })
      } onOverlongLine: {
        lines.append(nil)
      }
      for line in lines { try importer.take(line) }
    }
    return try importer.finish()
  }
}

/// Inserts an exported line's values as table rows.
extension Database {
  func insertStream(
    _ id: Int, kind: String, name: String, began: Instant, ended: Instant?
  ) throws {
    let (id, began) = (Int64(id), began.microseconds)
    try insert(id, kind, name, began: began)
    if let ended { try end(id, kind, name, began: began, at: ended.microseconds) }
  }

  func insertEvent(of stream: Int, _ seq: Int, at instant: Instant, _ body: ExportedBody) throws {
    try insertEvent(
      Int64(seq), of: Int64(stream), at: instant.microseconds, format: body.format, body.text)
  }

  func insertSnapshot(
    of stream: Int, _ seq: Int, at instant: Instant, _ body: ExportedBody
  ) throws {
    try replaceSnapshot(
      Int64(seq), of: Int64(stream), at: instant.microseconds, format: body.format, body.text)
  }

  func insertAnswer(
    of stream: Int, slot: Int, number: Int, request: RequestID, _ body: ExportedBody
  ) throws {
    try replaceAnswer(
      JournalRow.Answer(
        of: Int64(stream), at: Int64(slot), Int64(number), to: request, format: body.format,
        body.text))
  }

  func insertClock(_ tie: ClockTie) throws {
    try setClock(tie.boot, host: tie.host.microseconds, instant: tie.instant.microseconds)
  }
}
