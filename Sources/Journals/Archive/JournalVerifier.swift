import Coordination
import EventLoops
import GRDB
import Vocabulary

extension JournalArchive {
  /// Checks the whole file: SQLite's own check including indexes, then each row's sum.
  ///
  /// It replays every stream from its beginning and compares the result with the snapshot.
  package func verify() throws(JournalError) -> JournalVerification {
    var verification = try read { database in
      var verifier = JournalVerifier(database)
      return verifier.run()
    }
    if let flaw = try logFlaw() { verification.complain(flaw) }
    return verification
  }

  /// What is wrong with the middle of the log; `nil` if nothing is, or if a server writes to it now.
  private func logFlaw() throws(JournalError) -> String? {
    guard source == .file else { return nil }
    let paths = JournalPaths(JournalFiles.target(of: path))
    guard FileLockState(paths.lock) == .free else { return nil }
    do { return try DamagedLog.flaw(of: paths) } catch { throw JournalError(error, path) }
  }
}

/// Checks a journal's file in one transaction, and continues after each finding.
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
            throw UnreadableRecord("it has an answer, but is no device's stream")
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
        result.complain("the definition of \(name) has changed")
      }
      for row in try Row.fetchAll(database, sql: ArchiveSQL.strays) {
        let (table, count) = (try row.text(0), try row.number(1))
        if count > 0 { result.complain("\(count) rows of the table \(table) belong to no stream") }
      }
    }
  }

  /// Checks also the answers that later ones replaced, and those in events that are in rings too.
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

  /// The streams whose rows are sound.
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

  /// Runs one part of the check; an error that stops it is reported as damage.
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

/// The result of checking a journal.
package struct JournalVerification: Equatable, Sendable {
  /// The streams checked, without those set aside.
  package var streams = 0
  package var events = 0
  /// The events replayed: all but those of streams whose beginning is gone.
  package var replayed = 0
  /// The snapshots read, and how many of them were compared with a replay.
  package var snapshots = 0
  package var comparedSnapshots = 0
  /// The remembered answers read.
  package var answers = 0
  /// The streams whose beginning was deleted by retention.
  package var shortened = 0
  /// The streams that a server could not read and set aside, such as `session abc`.
  package var setAside: [String] = []
  /// The first hundred findings, for people.
  package private(set) var damage: [String] = []
  /// How many findings there are beyond those.
  package private(set) var furtherDamage = 0

  /// A damaged page makes thousands of rows unreadable; more findings say nothing new.
  private static let mostDamage = 100

  package var isSound: Bool { damage.isEmpty }

  package init() {}

  /// Adds a finding.
  package mutating func complain(_ text: String) {
    if damage.count < Self.mostDamage {
      damage.append(text)
    } else {
      furtherDamage += 1
    }
  }
}

/// Checks one stream's records in order: its snapshot, then its events.
struct StreamCheck {
  private let label: String
  private let aggregate: AggregateID
  private let isOver: Bool
  private var snapshot: AggregateState?
  /// The number of the last event checked.
  private var last: Int?
  private var latest: Instant?
  /// `nil` until there is a beginning to replay from.
  private var replay: StreamReplay?

  init(_ label: String, _ aggregate: AggregateID, isOver: Bool) {
    self.label = label
    self.aggregate = aggregate
    self.isOver = isOver
  }

  mutating func take(
    snapshot stored: JournalRow.Record, _ reader: inout RecordReader,
    _ result: inout JournalVerification
  ) throws {
    result.snapshots += 1
    if isOver { result.complain("\(label) has ended, but still has a snapshot") }
    do {
      snapshot = try reader.state(stored.body, of: aggregate.kind, format: stored.format)
    } catch {
      throw UnreadableRecord("its snapshot cannot be read: \(error)")
    }
    if snapshot?.aggregate != aggregate {
      result.complain("\(label) has the snapshot of another stream")
    } else if snapshot.map({ Int64($0.seq) }) != stored.seq {
      result.complain("\(label) has a snapshot whose state is not at its number, \(stored.seq)")
    }
  }

  mutating func take(
    _ stored: JournalRow.Record, _ reader: inout RecordReader, _ result: inout JournalVerification
  ) throws {
    result.events += 1
    guard stored.seq > 0 else { throw UnreadableRecord("there is no event \(stored.seq)") }
    checkPlace(of: stored, &result)
    last = Int(stored.seq)
    latest = stored.instant
    do {
      let event = try reader.event(stored.body, of: aggregate.kind, format: stored.format)
      guard replay != nil else { return }
      try replay?.take(event, of: aggregate, at: stored.instant)
      result.replayed += 1
    } catch {
      throw UnreadableRecord("event \(stored.seq) cannot be read: \(error)")
    }
    if let snapshot, snapshot.seq == last, let state = replay?.state {
      result.comparedSnapshots += 1
      if state != snapshot {
        result.complain(
          "\(label): its snapshot at \(stored.seq) differs from the replay of its events")
      }
    }
  }

  /// Checks that an event follows the previous one, and that the first one may begin a stream.
  private mutating func checkPlace(
    of stored: JournalRow.Record, _ result: inout JournalVerification
  ) {
    let seq = Int(stored.seq)
    if let last {
      if seq != last + 1 {
        result.complain("\(label): \(gap(last + 1, seq - 1))")
        replay = nil
      }
    } else if seq == 1 {
      replay = StreamReplay()
    } else {
      result.shortened += 1
      let isKept = snapshot.map { $0.seq >= seq - 1 } ?? (isOver && !isDevice)
      if !isKept { result.complain("\(label): \(gap((snapshot?.seq ?? 0) + 1, seq - 1))") }
    }
    if let snapshot, replay == nil, seq == snapshot.seq + 1 {
      replay = StreamReplay(from: snapshot)
    }
    if let latest, stored.instant < latest {
      result.complain("\(label): event \(seq) happened before the one before it")
    }
  }

  func finish(_ result: inout JournalVerification) {
    switch (last, snapshot) {
    case (nil, nil):
      // An ended stream may be empty: a snapshot included all events, and they were deleted.
      if !isOver { result.complain("\(label) has neither events nor a snapshot") }
    case (nil, .some): result.shortened += 1
    case (let last?, let snapshot?) where last < snapshot.seq:
      result.complain("\(label): \(gap(last + 1, snapshot.seq))")
    default: break
    }
  }

  private var isDevice: Bool { aggregate.kind == .device }

  private func gap(_ first: Int, _ last: Int) -> String {
    first >= last ? "event \(first) is missing" : "events \(first) to \(last) are missing"
  }
}
