import Foundation
import GRDB
package import Vocabulary
import Wire

/// What an import brought in.
package struct JournalImport: Equatable, Sendable {
  /// How many streams.
  package internal(set) var streams = 0
  /// How many events.
  package internal(set) var events = 0
  /// Whether devices were among them; without, a server finds nobody there, and ends what it finds.
  package internal(set) var hasDevices = true

  /// As long as a line may be: a record with what stands around it.
  private static let lineBytes = RecordReader.maximumBytes + 64 * 1024

  /// Fills an empty journal with what another exported: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - path: the file, made if it is not there; nobody else may write to it meanwhile.
  ///   - now: names what is set aside.
  ///   - input: the next bytes of the export; none at its end.
  /// - Throws: a ``JournalError`` about the file, a ``BrokenExport`` about a line, or what the
  ///   input throws.
  package init(
    into path: String, at now: Instant, reading input: () throws -> [UInt8]
  ) throws {
    // Looked at before it is opened for good: what is damaged or no journal is left as it is.
    if try Self.holdsSomething(path) {
      try JournalArchive(path).read { try Self.checkIsEmpty($0, path) }
    }
    let file = try JournalFile(path, retention: .zero, limits: Limits(), at: now)
    do {
      self = try file.access.database.write { database in
        try Self.checkIsEmpty(database, path)
        return try Self.run(database, input)
      }
    } catch let error as DatabaseError {
      throw JournalError(error, path)
    }
  }

  private init() {}

  /// Nothing yet.
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

  private static func run(
    _ database: Database, _ input: () throws -> [UInt8]
  ) throws -> JournalImport {
    var importer = JournalImporter(database)
    var splitter = LineSplitter(maximumLineBytes: lineBytes)
    var isAtEnd = false
    while !isAtEnd {
      var chunk = try input()
      isAtEnd = chunk.isEmpty
      // The last line may lack its ending: then it has one now.
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
