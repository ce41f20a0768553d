import Coordination
import GRDB
import Vocabulary

extension JournalArchive {
  /// Looks through the whole file: SQLite's own check, its indexes included, then every row's sum;
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
    checkUnfiledAnswers()
    var answers: StoredAnswers?
    attempt("the answers") { database, _, _ in answers = try StoredAnswers(database) }
    for stream in streams() {
      let label = "\(stream.kind) \(stream.name)"
      guard let aggregate = stream.aggregate else {
        result.setAside.append(label)
        attempt(label) { database, _, _ in
          _ = try database.storedSnapshot(of: stream.id)
          try database.eachStoredEvent(of: stream.id) { _ in }
          try answers?.each(of: stream.id) { _ in }
        }
        continue
      }
      result.streams += 1
      attempt(label) { database, reader, result in
        var check = StreamCheck(label, aggregate, isOver: stream.ended != nil)
        let snapshot = try database.storedSnapshot(of: stream.id)
        if let snapshot { try check.take(snapshot: snapshot, &reader, &result) }
        try database.eachStoredEvent(of: stream.id) { try check.take($0, &reader, &result) }
        check.finish(&result)
      }
      attempt(label) { _, reader, result in
        try answers?.each(of: stream.id) { answer in
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
    attempt("the clock") { database, _, _ in _ = try database.storedClock() }
    attempt("the file") { database, _, result in
      for line in try String.fetchAll(database, sql: ArchiveSQL.integrity) where line != "ok" {
        result.complain("SQLite: \(line)")
      }
      if let name = try JournalSchema.changedDefinition(in: database) {
        result.complain("what the file says of its \(name) has changed")
      }
      for row in try Row.fetchAll(database, sql: ArchiveSQL.strays) {
        let (table, count) = (try row.text(0), try row.number(1))
        if count > 0 { result.complain("\(count) rows of the table \(table) belong to no stream") }
      }
    }
  }

  /// Also those of which later ones took the places, and those in events that are in rings, too.
  private mutating func checkUnfiledAnswers() {
    for (what, sql) in [
      ("the recent answers", JournalSQL.recentAnswers),
      ("the answers in events", ArchiveSQL.answersOfEvents),
    ] {
      attempt(what) { database, _, _ in
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() { _ = try JournalRow.Answer(row) }
      }
    }
  }

  /// The streams whose rows are as they were written.
  private mutating func streams() -> [JournalRow.Stream] {
    var streams: [JournalRow.Stream] = []
    attempt("the table of streams") { database, _, result in
      let rows = try Row.fetchCursor(database, sql: ArchiveSQL.streams)
      var live: Int64 = 0
      while let row = try rows.next() {
        if row.hasNull(atIndex: 4) { live += 1 }
        do throws(Damage) {
          streams.append(try JournalRow.Stream(row))
        } catch {
          result.complain("the table of streams: \(error)")
        }
      }
      let tally = try Int64.fetchOne(database, sql: JournalSQL.liveCount)
      guard tally != live else { return }
      result.complain(
        "there are \(live) live streams, and the tally says \(tally.map { "\($0)" } ?? "nothing")")
    }
    return streams
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
