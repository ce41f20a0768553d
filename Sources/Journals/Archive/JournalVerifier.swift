import Coordination
import GRDB
import Vocabulary

extension JournalArchive {
  /// Looks through the whole file: SQLite's own check, its indexes included, then every record;
  /// every stream is replayed from its beginning, and must come by its snapshot.
  package func verify() throws(JournalError) -> JournalVerification {
    try read { database in
      var verifier = JournalVerifier(database)
      return verifier.run()
    }
  }
}

/// Looks through a journal's file in one transaction, and goes on where something is wrong.
private struct JournalVerifier: ~Copyable {
  private let database: Database
  private var reader = RecordReader()
  private var result = JournalVerification()

  init(_ database: Database) {
    self.database = database
  }

  mutating func run() -> JournalVerification {
    checkFile()
    var streams: [StoredStream] = []
    attempt("the table of streams") { database, _, _ in streams = try database.storedStreams() }
    for stream in streams {
      let label = "\(stream.kind) \(stream.name)"
      guard let aggregate = stream.aggregate else {
        result.setAside.append(label)
        continue
      }
      result.streams += 1
      attempt(label) { database, reader, result in
        var check = StreamCheck(label, aggregate, isOver: stream.ended != nil)
        let snapshot = try database.storedSnapshot(of: stream.id)
        if let snapshot { try check.take(snapshot, &reader, &result) }
        try database.eachStoredEvent(of: stream.id) { try check.take($0, &reader, &result) }
        check.finish(&result)
      }
      attempt(label) { database, reader, result in
        try database.eachStoredAnswer(of: stream.id) { answer in
          guard stream.kind == AggregateKind.device.rawValue else {
            throw UnreadableRecord("an answer stands where no device is")
          }
          _ = try reader.outcome(answer.body, format: answer.format)
          result.answers += 1
        }
      }
    }
    return result
  }

  private mutating func checkFile() {
    attempt("the file") { database, _, result in
      for line in try String.fetchAll(database, sql: ArchiveSQL.integrity) where line != "ok" {
        result.complain("SQLite: \(line)")
      }
      for row in try Row.fetchAll(database, sql: ArchiveSQL.strays) {
        let (table, count): (String, Int) = (try row.stored(0, "kind"), try row.stored(1, "count"))
        if count > 0 { result.complain("\(count) rows of the table \(table) belong to no stream") }
      }
    }
  }

  /// Does a part of the work; what stops it is damage, too.
  private mutating func attempt(
    _ what: String,
    _ body: (Database, inout RecordReader, inout JournalVerification) throws -> Void
  ) {
    do {
      try body(database, &reader, &result)
    } catch let error as DatabaseError {
      result.complain("\(what): \(error.message ?? "\(error.resultCode)")")
    } catch {
      result.complain("\(what): \(error)")
    }
  }
}
