import Coordination
import EventLoops
import GRDB
import Vocabulary
import Wire

/// Writes a ``SQLiteJournal``'s file, one transaction per batch.
///
/// Confined to the store's thread once the journal is open.
final class JournalStore {
  private let file: JournalAccess
  /// The live streams and their last events, so that an append reads nothing from the file.
  private var streams: [AggregateID: LiveStream]
  /// What the current batch replaced in `streams`, latest last, for undoing it.
  private var changes: [(aggregate: AggregateID, before: LiveStream?)] = []
  /// Ends that could not be written, with their instants.
  ///
  /// They precede the next batch.
  ///
  /// They are ends of live streams, so their number is bounded by that of live streams.
  private var unkeptEnds: [AggregateID: Instant] = [:]
  /// The number of live streams that the file's tally holds.
  private var tally: Int
  private var lastID: Int64
  /// The id of the latest stream that the file's tally holds.
  private var talliedID: Int64
  /// How many answers are in `recent`, waiting for their rings.
  private var recentAnswers: Int
  private let completion: Completion

  /// How many recent answers move to their rings together.
  ///
  /// A page of a ring has at least a dozen slots, which 200 busy devices fill in one move. A move
  /// takes some milliseconds.
  static let recentAnswersMaximum = 2048

  /// Receives how many turns of the loop were written, how many bytes the journal takes now, and why
  /// nothing was written, if so.
  typealias Completion = (_ turnCount: Int, _ size: Int, _ failure: String?) -> Void

  init(_ file: JournalAccess, completion: @escaping Completion) {
    self.file = file
    self.completion = completion
    streams = Dictionary(file.live.map { ($0.aggregate, $0) }) { first, _ in first }
    tally = streams.count
    lastID = file.lastStream
    talliedID = file.lastStream
    recentAnswers = file.recentAnswers
  }

  /// Writes the entries of several turns, all or nothing.
  ///
  /// - Returns: why writing failed; `nil` if it succeeded.
  private func keep(_ batch: FlattenSequence<[[JournalEntry]]>) -> String? {
    changes = []
    let recentAnswersBefore = recentAnswers
    do {
      try file.database.writeWithoutTransaction { database in
        try Self.inTransaction(database) {
          if recentAnswers >= Self.recentAnswersMaximum {
            try database.fileRecentAnswers()
            recentAnswers = 0
          }
          for (aggregate, at) in unkeptEnds { try forget(aggregate, at: at, in: database) }
          for entry in batch { try keep(entry, in: database) }
          if streams.count != tally || lastID != talliedID {
            try database.setTally(streams.count, last: lastID)
          }
        }
      }
      (tally, talliedID) = (streams.count, lastID)
      unkeptEnds = [:]
      return nil
    } catch {
      recentAnswers = recentAnswersBefore
      for change in changes.reversed() { streams[change.aggregate] = change.before }
      for case .forget(let aggregate, let at) in batch where streams[aggregate] != nil {
        unkeptEnds[aggregate] = at
      }
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

  private func set(_ stream: LiveStream?, of aggregate: AggregateID) {
    changes.append((aggregate, streams[aggregate]))
    streams[aggregate] = stream
  }
}

@available(*, unavailable)
extension JournalStore: Sendable {}

extension JournalStore: BatchConsumer {
  func consume(_ turns: [[JournalEntry]]) {
    let failure = keep(turns.joined())
    completion(turns.count, file.size, failure)
  }

  /// Writes the log back and closes the file.
  func finish() {
    do {
      try file.database.close()
    } catch {
      // No data is lost: the log holds everything, and the next start reads it.
    }
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
    if let stream { set(stream, of: append.aggregate) }
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
    lastID += 1
    let began = instant.microseconds
    try database.insert(lastID, aggregate.kind.rawValue, aggregate.name, began: began)
    return LiveStream(id: lastID, aggregate: aggregate, began: began, seq: 0)
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
    set(nil, of: aggregate)
    try database.fileAnswers(of: stream.id)
    switch aggregate {
    // A forgotten device's secret and answers are of no use, nor is data that nobody can load; and
    // the data of a wiped person must not stay.
    case .attachment, .device, .user, .tray, .name: return try erase(stream.id, in: database)
    case .group, .session: break
    }
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

/// The id of a live stream in the file, and its last event.
struct LiveStream: Equatable, Sendable {
  let id: Int64
  let aggregate: AggregateID
  /// The instant of its first event in microseconds, as stored.
  let began: Int64
  /// The number of its last event.
  var seq: Int
}

/// What the loop hands to the store's thread, already encoded, in the order of writing.
enum JournalEntry: Sendable {
  case append(EncodedAppend)
  case snapshot(AggregateID, seq: Int, at: Instant, body: String)
  case forget(AggregateID, at: Instant)
}

/// An append as rows.
struct EncodedAppend: Sendable {
  struct Event: Sendable {
    let at: Instant
    let body: String
  }

  struct Answer: Sendable {
    let device: DeviceID
    let number: Int
    let request: RequestID
    let body: String
  }

  /// The result of one command.
  struct Step: Sendable {
    let events: [Event]
    let answer: Answer?
  }

  let aggregate: AggregateID
  let after: Int
  let steps: [Step]
}

extension RecordWriter {
  mutating func encode(_ append: Append) -> EncodedAppend {
    EncodedAppend(
      aggregate: append.aggregate, after: append.after,
      steps: append.steps.map { step in
        .init(
          events: step.events.map { .init(at: $0.at, body: text(of: $0.event)) },
          answer: step.answer.map {
            .init(
              device: $0.device, number: $0.number, request: $0.request,
              body: text(of: $0.outcome))
          })
      })
  }
}
