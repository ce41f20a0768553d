import Coordination
import GRDB
import Vocabulary

/// The file behind a ``SQLiteJournal``: keeps what it is handed, one transaction a batch.
///
/// Confined to the store's thread once the journal is open.
final class JournalStore {
  private let database: DatabaseQueue
  /// How long what a snapshot or an end has made history stays in the file.
  private let retention: Duration
  private let answersPerDevice: Int
  /// The live streams and how far each goes: keeping an event reads nothing.
  private var streams: [AggregateID: LiveStream]
  /// What the batch at hand changed in `streams`, latest last, should it have to be undone.
  private var changes: [(aggregate: AggregateID, before: LiveStream?)] = []

  private struct LiveStream {
    let id: Int64
    var seq: Int
  }

  init(_ file: JournalFile) {
    database = file.database
    retention = file.retention
    answersPerDevice = file.answersPerDevice
    streams = Dictionary(
      uniqueKeysWithValues: file.live.map { ($0.aggregate, LiveStream(id: $0.id, seq: $0.seq)) })
  }

  /// Keeps a batch: all of it, or, where writing fails, nothing.
  ///
  /// - Returns: why writing failed; `nil` if it did not.
  func keep(_ batch: [JournalEntry]) -> String? {
    changes = []
    do {
      try database.writeWithoutTransaction { database in
        try Self.inTransaction(database) {
          for entry in batch { try keep(entry, in: database) }
        }
      }
      return nil
    } catch {
      for change in changes.reversed() { streams[change.aggregate] = change.before }
      return "\(error)"
    }
  }

  /// Does what GRDB's own `inTransaction` does with statements that are prepared once.
  private static func inTransaction(_ database: Database, _ body: () throws -> Void) throws {
    try database.cachedStatement(sql: JournalSQL.begin).execute()
    do {
      try body()
      try database.cachedStatement(sql: JournalSQL.commit).execute()
    } catch {
      // Some errors have SQLite roll back by itself.
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

// MARK: Keeping

extension JournalStore {
  private func keep(_ append: EncodedAppend, in database: Database) throws {
    if let first = append.events.first {
      var stream =
        try streams[append.aggregate] ?? begin(append.aggregate, at: first.at, in: database)
      precondition(
        stream.seq == append.after,
        "\(append.aggregate) has \(stream.seq) events, not \(append.after)")
      let insert = try database.cachedStatement(sql: JournalSQL.insertEvent)
      for event in append.events {
        stream.seq += 1
        try insert.execute(arguments: [
          stream.id, stream.seq, event.at.microseconds, JournalFormat.current, event.body,
        ])
      }
      set(stream, of: append.aggregate)
    }
    // A device that is gone asks nothing again.
    guard let answer = append.answer, let device = streams[.device(answer.device)] else { return }
    try database.cachedStatement(sql: JournalSQL.replaceAnswer).execute(arguments: [
      device.id, answer.number % answersPerDevice, answer.number, answer.request,
      JournalFormat.current, answer.body,
    ])
  }

  private func begin(
    _ aggregate: AggregateID, at instant: Instant, in database: Database
  ) throws -> LiveStream {
    try database.cachedStatement(sql: JournalSQL.beginStream).execute(arguments: [
      aggregate.kind.rawValue, aggregate.name, instant.microseconds,
    ])
    return LiveStream(id: database.lastInsertedRowID, seq: 0)
  }

  private func keep(
    _ body: String, of aggregate: AggregateID, seq: Int, at instant: Instant, in database: Database
  ) throws {
    guard let stream = streams[aggregate] else { return }
    try database.cachedStatement(sql: JournalSQL.replaceSnapshot).execute(arguments: [
      stream.id, seq, JournalFormat.current, body,
    ])
    try database.cachedStatement(sql: JournalSQL.deleteOldEvents).execute(arguments: [
      stream.id, seq, (instant - retention).microseconds,
    ])
  }

  private func forget(_ aggregate: AggregateID, at instant: Instant, in database: Database) throws {
    guard let stream = streams[aggregate] else { return }
    set(nil, of: aggregate)
    if case .device = aggregate {
      // Its secret and its answers are of no use to anybody any more.
      return try erase(stream.id, in: database)
    }
    try database.cachedStatement(sql: JournalSQL.deleteSnapshot).execute(arguments: [stream.id])
    try database.cachedStatement(sql: JournalSQL.endStream).execute(arguments: [
      instant.microseconds, stream.id,
    ])
    // One comes, a few old ones go: the file's size follows the retention, and no batch is long.
    let old = try Int64.fetchAll(
      database.cachedStatement(sql: JournalSQL.oldStreams),
      arguments: [(instant - retention).microseconds])
    for id in old { try erase(id, in: database) }
  }

  private func erase(_ stream: Int64, in database: Database) throws {
    for sql in [
      JournalSQL.deleteEvents, JournalSQL.deleteSnapshot, JournalSQL.deleteAnswers,
      JournalSQL.deleteStream,
    ] {
      try database.cachedStatement(sql: sql).execute(arguments: [stream])
    }
  }
}
