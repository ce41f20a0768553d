import Coordination
import GRDB
import GroupSessions
import Vocabulary

extension JournalArchive {
  /// The sessions that are there, in the order in which they began; those set aside are not.
  package func sessions() throws(JournalError) -> [SessionSummary] {
    try read { database in
      var sessions: [SessionSummary] = []
      var places: [Int64: Int] = [:]
      for stream in try database.storedStreams() {
        guard case .session(let id)? = stream.aggregate else { continue }
        places[stream.id] = sessions.count
        sessions.append(
          SessionSummary(
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

  /// All that is kept of a session.
  ///
  /// - Throws: also which of its records cannot be read.
  package func history(of summary: SessionSummary) throws(JournalError) -> SessionHistory {
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
      try database.eachStoredEvent(of: summary.stream) { stored in
        let seq = Int(stored.seq)
        if let last = events.last, seq != last.seq + 1 {
          throw UnreadableRecord("of session \(summary.session) event \(last.seq + 1) is missing")
        }
        do {
          let event = try reader.event(stored.body, of: .session, format: stored.format)
          guard case .session(let event) = event else { return }
          events.append(.init(seq: seq, at: stored.instant, event: event))
        } catch let error as UnreadableRecord {
          throw UnreadableRecord("event \(seq) of session \(summary.session): \(error)")
        }
      }
      return SessionHistory(summary: summary, snapshot: snapshot, events: events)
    }
  }
}

extension SessionSummary {
  /// Takes in what an event at either end says; what cannot be read says nothing here.
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
