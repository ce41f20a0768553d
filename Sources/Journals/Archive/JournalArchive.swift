import Coordination
import EventLoops
import GRDB
package import GroupSessions
package import InAppMessaging
package import Vocabulary

/// Reads a journal's file without the lock, even while a server writes to it; changes nothing.
///
/// Each query reads one moment of the file, in a read transaction of SQLite's write-ahead log. The
/// server continues to write meanwhile.
package struct JournalArchive: Sendable {
  /// The file's path, or the database's address.
  package let path: String
  let database: DatabaseQueue
  let source: Source

  /// What the rows are read from.
  enum Source: Equatable {
    /// A journal's file.
    case file
    /// A copy of a journal in PostgreSQL, which takes so many bytes there in tables of that version.
    case copy(bytes: Int64, version: Int, isInUse: Bool)
  }

  /// How many seconds to wait while a server writes its log back into the file.
  private static let patience = 5.0

  /// Opens a file.
  ///
  /// - Throws: if there is no file, if it is no journal or is damaged, or if another version of
  ///   Matinee wrote it that this one cannot read.
  package init(_ path: String) throws(JournalError) {
    do throws(UVError) {
      try PlainFile.checkReadable(path)
    } catch {
      let isMissing = error.code == .noSuchFile
      throw .failed(path: path, reason: isMissing ? "there is no such file" : "\(error)")
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.patience)
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
      self.path = path
      source = .file
      try database.read { try Self.check($0, path) }
    } catch {
      throw JournalError(error, path)
    }
  }

  init(path: String, _ database: DatabaseQueue, _ source: Source) {
    (self.path, self.database, self.source) = (path, database, source)
  }

  private static func check(_ database: Database, _ path: String) throws {
    let migrator = JournalSchema.migrator
    guard try JournalSchema.isJournal(database), try !migrator.appliedIdentifiers(database).isEmpty
    else {
      throw JournalError.unreadable(path: path, reason: "it is not a Matinee journal")
    }
    guard try !migrator.hasBeenSuperseded(database) else { throw JournalError.newer(path: path) }
    guard try migrator.hasCompletedMigrations(database) else {
      throw JournalError.older(path: path)
    }
  }

  /// Runs a query on one moment of the file.
  func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    do {
      return try database.read(body)
    } catch let error as UnreadableRecord {
      throw .unreadable(path: path, reason: error.description)
    } catch {
      throw JournalError(error, path)
    }
  }
}

extension JournalArchive {
  /// The sessions in the file, in the order in which they began, without those set aside.
  package func sessions() throws(JournalError) -> [ArchivedSession] {
    try read { database in
      var sessions: [ArchivedSession] = []
      var places: [Int64: Int] = [:]
      for stream in try database.storedStreams() {
        guard case .session(let id)? = stream.aggregate else { continue }
        places[stream.id] = sessions.count
        sessions.append(
          ArchivedSession(
            stream: stream.id, id, began: Instant(microseconds: stream.began),
            ended: stream.ended.map { Instant(microseconds: $0) }))
      }
      var reader = RecordReader()
      let rows = try Row.fetchCursor(database, sql: ArchiveSQL.sessionEnds)
      while let row = try rows.next() {
        let stream = try row.number(0)
        guard let place = places[stream] else { continue }
        sessions[place].note(try JournalRow.Record(row, of: stream, from: 1), &reader)
      }
      for place in sessions.indices where sessions[place].group == nil {
        guard let stored = try database.storedSnapshot(of: sessions[place].stream) else { continue }
        sessions[place].note(snapshot: stored, &reader)
      }
      for row in try Row.fetchAll(database, sql: ArchiveSQL.eventCounts) {
        guard let place = places[try row.number(0)] else { continue }
        sessions[place].events = Int(try row.number(1))
      }
      return sessions
    }
  }

  /// Everything kept of a session.
  ///
  /// - Throws: also if a record cannot be read; the error names it.
  package func history(of summary: ArchivedSession) throws(JournalError) -> SessionHistory {
    try read { database in
      var reader = RecordReader()
      var snapshot: SessionHistory.State?
      if let stored = try database.storedSnapshot(of: summary.stream),
        case .session(let session)? = try reader.state(
          stored.body, of: .session, format: stored.format)
      {
        snapshot = SessionHistory.State(session: session, at: stored.instant)
      }
      var events: [SessionHistory.Entry] = []
      let label = "session \(summary.session)"
      try database.eachEvent(of: summary.stream, .session, label, &reader) { seq, at, event in
        if case .session(let event) = event { events.append(.init(seq: seq, at: at, event: event)) }
      }
      return SessionHistory(summary: summary, snapshot: snapshot, events: events)
    }
  }
}

extension JournalArchive {
  /// Counts what came of the messages of campaigns.
  ///
  /// - Throws: also if a record cannot be read; the error names it.
  package func campaignResults() throws(JournalError) -> CampaignResults {
    try read { database in
      var reader = RecordReader()
      var results = CampaignResults()
      for stream in try database.storedStreams() {
        guard case .user(let id)? = stream.aggregate else { continue }
        results.beginPerson()
        var isEmpty = true
        try database.eachEvent(of: stream.id, .user, "person \(id)", &reader) { seq, at, event in
          if isEmpty, seq > 1 { results.noteGap(until: at) }
          isEmpty = false
          if case .user(let event) = event { results.evolve(event) }
        }
        if isEmpty, let snapshot = try database.storedSnapshot(of: stream.id) {
          results.noteGap(until: snapshot.instant)
        }
      }
      return results
    }
  }
}

extension ArchivedSession {
  /// Takes over what the first or last event says; an unreadable event is skipped.
  fileprivate mutating func note(_ end: JournalRow.Record, _ reader: inout RecordReader) {
    do {
      switch try reader.event(end.body, of: .session, format: end.format) {
      case .session(.began(let beginning)) where end.seq == 1:
        group = beginning.group
        title = beginning.activity.metadata.title
      case .session(.ended(let reason)): self.reason = reason
      default: break
      }
    } catch {}
  }

  fileprivate mutating func note(
    snapshot: JournalRow.Record, _ reader: inout RecordReader
  ) {
    do {
      let state = try reader.state(snapshot.body, of: .session, format: snapshot.format)
      guard case .session(let session)? = state else { return }
      group = session.group
      title = session.activity.metadata.title
    } catch {}
  }
}

/// What is kept of one session: its summary, last snapshot and events.
package struct SessionHistory: Equatable, Sendable {
  package let summary: ArchivedSession
  /// The last snapshot of a live session: the start of a replay where the first events are gone.
  package let snapshot: State?
  /// The kept events, in order, without a gap.
  package let events: [Entry]

  package struct Entry: Equatable, Sendable {
    package let seq: Int
    package let at: Instant
    package let event: SessionEvent
  }

  /// The session's state after one of its events.
  package struct State: Equatable, Sendable {
    package let session: GroupSession
    /// The instant of that event, or when the snapshot was taken.
    package let at: Instant
  }

  /// Whether no event is missing at the beginning.
  package var isWhole: Bool { events.first?.seq == 1 }
  package var last: Int { events.last?.seq ?? snapshot?.session.seq ?? 0 }

  /// The events after which the state can be rebuilt; `nil` if there are none.
  package var replayable: ClosedRange<Int>? {
    guard last > 0 else { return nil }
    if isWhole { return 1...last }
    return snapshot.map { $0.session.seq...last }
  }

  /// The session's state after an event, and the instant of that event.
  ///
  /// - Returns: `nil` if it cannot be rebuilt; see ``replayable``.
  package func state(at seq: Int) -> State? {
    guard let replayable, replayable.contains(seq) else { return nil }
    var session: GroupSession
    var at = summary.began
    if isWhole, case .began(let beginning)? = events.first?.event {
      session = GroupSession(id: summary.session, beginning)
    } else if let snapshot {
      session = snapshot.session
      // The event of the snapshot itself may be deleted already.
      at = events.first { $0.seq == session.seq }?.at ?? snapshot.at
    } else {
      return nil
    }
    for entry in events where entry.seq > session.seq && entry.seq <= seq {
      session.evolve(entry.event, at: entry.at)
      at = entry.at
    }
    return State(session: session, at: at)
  }
}

/// A session in a journal, as one line of a list shows it.
package struct ArchivedSession: Equatable, Sendable {
  /// The id of its row in the table `stream`.
  let stream: Int64
  package let session: SessionID
  /// The group and the title of its first activity; `nil` where the first events are gone.
  package internal(set) var group: GroupID?
  package internal(set) var title: String?
  package let began: Instant
  /// When it ended, and why; `nil` while it is live.
  package let ended: Instant?
  package internal(set) var reason: EndReason?
  /// How many of its events are kept.
  package internal(set) var events = 0

  package init(
    stream: Int64 = 0, _ session: SessionID, group: GroupID? = nil, title: String? = nil,
    began: Instant, ended: Instant? = nil, reason: EndReason? = nil, events: Int = 0
  ) {
    self.stream = stream
    self.session = session
    self.group = group
    self.title = title
    self.began = began
    self.ended = ended
    self.reason = reason
    self.events = events
  }
}
