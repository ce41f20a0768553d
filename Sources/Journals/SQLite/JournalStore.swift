import Coordination
import EventLoops
import GRDB
import Vocabulary

/// Writes a ``StoredJournal``'s file, one transaction per batch.
///
/// Confined to the store's thread once the journal is open.
final class JournalStore {
  private let file: JournalAccess
  private var streams: LiveStreams
  /// The number of live streams that the file's tally holds.
  private var tally: Int
  /// The id of the latest stream that the file's tally holds.
  private var talliedID: Int64
  /// How many answers are in `recent`, waiting for their rings.
  private var recentAnswers: Int
  private let report: @Sendable (JournalReport) -> Void

  /// How many recent answers move to their rings together.
  ///
  /// A page of a ring has at least a dozen slots, which 200 busy devices fill in one move. A move
  /// takes some milliseconds.
  static let recentAnswersMaximum = 2048

  /// - Parameter report: receives the outcome of each batch.
  init(_ file: JournalAccess, report: @escaping @Sendable (JournalReport) -> Void) {
    self.file = file
    self.report = report
    streams = LiveStreams(file.live, lastID: file.lastStream)
    tally = streams.count
    talliedID = file.lastStream
    recentAnswers = file.recentAnswers
  }

  /// Writes the entries of several turns, all or nothing; without any, tries whether it can write.
  ///
  /// - Returns: why writing failed; `nil` if it succeeded.
  private func keep(_ entries: [JournalEntry]) -> String? {
    let batch = streams.begin(entries)
    let recentAnswersBefore = recentAnswers
    do {
      try file.database.writeWithoutTransaction { database in
        try Self.inTransaction(database) {
          if recentAnswers >= Self.recentAnswersMaximum {
            try database.fileRecentAnswers()
            recentAnswers = 0
          }
          for entry in batch { try keep(entry, in: database) }
          // SQLite leaves out a page on which nothing changes.
          if batch.isEmpty { try database.setTally(-1, last: streams.lastID) }
          if batch.isEmpty || streams.count != tally || streams.lastID != talliedID {
            try database.setTally(streams.count, last: streams.lastID)
          }
        }
      }
      (tally, talliedID) = (streams.count, streams.lastID)
      streams.keep()
      return nil
    } catch {
      recentAnswers = recentAnswersBefore
      streams.undo(batch)
      return file.explain(error)
    }
  }

  /// Does the same as GRDB's `inTransaction`, with prepared statements.
  private static func inTransaction(_ database: Database, _ body: () throws -> Void) throws {
    try database.cachedStatement(sql: JournalSQL.begin).execute()
    do {
      try body()
      try database.cachedStatement(sql: JournalSQL.commit).execute()
    } catch {
      // SQLite rolls back on its own after some errors.
      if database.isInsideTransaction { try database.rollback() }
      throw error
    }
  }

  private func keep(_ entry: JournalEntry, in database: Database) throws {
    switch entry {
    case .append(let append): try keep(append, in: database)
    case .snapshot(let aggregate, let seq, let at, let body):
      try keep(body, of: aggregate, seq: seq, at: at, in: database)
    case .forget(let aggregate, let at): try forget(aggregate, at: at, in: database)
    }
  }
}

@available(*, unavailable)
extension JournalStore: Sendable {}

extension JournalStore: BatchConsumer {
  func consume(_ turns: [JournalTurn]) {
    let failure = keep(turns.flatMap(\.entries))
    if failure == nil, turns.contains(where: \.entries.isEmpty) { emptyLog() }
    report(JournalReport(turns: turns.map(\.number), failure: failure, size: file.size))
  }

  /// Writes the log back and empties it, so that a full journal has the log's room, too: a turn without
  /// entries comes while it is full.
  private func emptyLog() {
    do {
      try file.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    } catch {
      // Somebody reads the log, or the next transaction says what is wrong.
    }
  }

  /// Writes the log back, closes the file, and releases its lock, to which also the opening refers.
  func finish() {
    do {
      try file.database.close()
    } catch {
      // No data is lost: the log holds everything, and the next start reads it.
    }
    file.lock.release()
  }
}

// MARK: Writing entries

extension JournalStore {
  private func keep(_ append: EncodedAppend, in database: Database) throws {
    var stream: LiveStream?
    for step in append.steps {
      if let first = step.events.first, stream == nil {
        stream =
          try streams[append.aggregate] ?? begin(append.aggregate, at: first.at, in: database)
        precondition(
          stream?.seq == append.after,
          "\(append.aggregate) has \(stream?.seq ?? 0) events, not \(append.after)")
      }
      try keep(step, in: &stream, of: append.aggregate.kind, in: database)
    }
    if let stream { streams.set(stream, of: append.aggregate) }
  }

  /// Writes the result of one command.
  ///
  /// Its answer is stored with its first event, so that neither exists without the other; an answer
  /// without events is stored alone.
  private func keep(
    _ step: EncodedAppend.Step, in stream: inout LiveStream?, of kind: AggregateKind,
    in database: Database
  ) throws {
    var answer = step.answer.flatMap(row)
    // A device has no snapshots, and snapshots move answers to their rings.
    if step.events.isEmpty || kind == .device, let alone = answer.take() {
      try keepRecent(alone, in: database)
    }
    guard var live = stream else { return }
    for event in step.events {
      live.seq += 1
      try keep(event, Int64(live.seq), of: live.id, with: answer.take(), in: database)
    }
    stream = live
  }

  private func keep(
    _ event: EncodedAppend.Event, _ seq: Int64, of stream: Int64, with answer: JournalRow.Answer?,
    in database: Database
  ) throws {
    let at = event.at.microseconds
    if let answer {
      try database.insertEvent(
        seq, of: stream, at: at, format: JournalFormat.current, event.body, with: answer)
    } else {
      try database.insertEvent(
        seq, of: stream, at: at, format: JournalFormat.current, event.body)
    }
  }

  /// The answer as a row; `nil` if its device is gone and will not repeat the request.
  private func row(_ answer: EncodedAppend.Answer) -> JournalRow.Answer? {
    guard let device = streams[.device(answer.device)] else { return nil }
    return JournalRow.Answer(
      of: device.id, at: Int64(answer.number % file.answersPerDevice), Int64(answer.number),
      to: answer.request, answer.body)
  }

  private func keepRecent(_ answer: JournalRow.Answer, in database: Database) throws {
    recentAnswers += 1
    try database.insertRecentAnswer(answer)
  }

  private func begin(
    _ aggregate: AggregateID, at instant: Instant, in database: Database
  ) throws -> LiveStream {
    let stream = streams.begin(aggregate, at: instant)
    try database.insert(stream.id, aggregate.kind.rawValue, aggregate.name, began: stream.began)
    return stream
  }

  private func keep(
    _ body: String, of aggregate: AggregateID, seq: Int, at instant: Instant, in database: Database
  ) throws {
    guard let stream = streams[aggregate] else { return }
    try database.fileAnswers(of: stream.id, through: Int64(seq))
    try database.replaceSnapshot(
      Int64(seq), of: stream.id, at: instant.microseconds, format: JournalFormat.current, body)
    try database.cachedStatement(sql: JournalSQL.deleteOldEvents).execute(arguments: [
      stream.id, seq, (instant - file.retention).microseconds,
    ])
  }

  private func forget(_ aggregate: AggregateID, at instant: Instant, in database: Database) throws {
    guard let stream = streams[aggregate] else { return }
    streams.set(nil, of: aggregate)
    try database.fileAnswers(of: stream.id)
    guard !aggregate.kind.isErasedAtEnd else { return try erase(stream.id, in: database) }
    try database.cachedStatement(sql: JournalSQL.deleteSnapshot).execute(arguments: [stream.id])
    // Uses the name in the row, because an equal identifier may be spelled differently here.
    try database.end(
      stream.id, aggregate.kind.rawValue, stream.aggregate.name, began: stream.began,
      at: instant.microseconds)
    // Each end deletes a few old streams, so that the file's size follows the retention and no
    // batch takes long.
    let old = try Int64.fetchAll(
      database.cachedStatement(sql: JournalSQL.oldStreams),
      arguments: [(instant - file.retention).microseconds])
    for id in old { try erase(id, in: database) }
  }

  private func erase(_ stream: Int64, in database: Database) throws {
    for sql in [
      JournalSQL.deleteEvents, JournalSQL.deleteSnapshot, JournalSQL.deleteAnswers,
      JournalSQL.deleteRecentAnswersOfStream, JournalSQL.deleteStream,
    ] {
      try database.cachedStatement(sql: sql).execute(arguments: [stream])
    }
  }
}
