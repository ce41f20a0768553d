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
          SessionSummary(stream: stream.id, id, began: stream.began, ended: stream.ended))
      }
      var reader = RecordReader()
      let rows = try Row.fetchCursor(database, sql: ArchiveSQL.sessionEnds)
      while let row = try rows.next() {
        guard let place = places[try row.stored(0, "stream")] else { continue }
        try sessions[place].note(
          seq: row.stored(1, "seq"), row.stored(4, "body"), row.stored(3, "format"), &reader)
      }
      for place in sessions.indices where sessions[place].group == nil {
        guard let stored = try database.storedSnapshot(of: sessions[place].stream) else { continue }
        sessions[place].note(stored, &reader)
      }
      for row in try Row.fetchAll(database, sql: ArchiveSQL.eventCounts) {
        guard let place = places[try row.stored(0, "stream")] else { continue }
        sessions[place].events = try row.stored(1, "count")
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
      var snapshot: GroupSession?
      if let stored = try database.storedSnapshot(of: summary.stream),
        case .session(let session)? = try reader.state(
          stored.body, of: .session, format: stored.format)
      {
        snapshot = session
      }
      var events: [SessionHistory.Entry] = []
      try database.eachStoredEvent(of: summary.stream) { stored in
        if let last = events.last, stored.seq != last.seq + 1 {
          throw UnreadableRecord("of session \(summary.session) event \(last.seq + 1) is missing")
        }
        do {
          let event = try reader.event(stored.body, of: .session, format: stored.format)
          guard case .session(let event) = event else { return }
          events.append(.init(seq: stored.seq, at: stored.at, event: event))
        } catch {
          throw UnreadableRecord("event \(stored.seq) of session \(summary.session): \(error)")
        }
      }
      return SessionHistory(summary: summary, snapshot: snapshot, events: events)
    }
  }
}

extension SessionSummary {
  /// Takes in what an event at either end says; what cannot be read says nothing here.
  fileprivate mutating func note(
    seq: Int, _ body: String, _ format: Int, _ reader: inout RecordReader
  ) {
    do {
      switch try reader.event(body, of: .session, format: format) {
      case .session(.began(let beginning)) where seq == 1:
        group = beginning.group
        title = beginning.activity.metadata.title
      case .session(.ended(let reason)): self.reason = reason
      default: break
      }
    } catch {}
  }

  fileprivate mutating func note(_ snapshot: StoredSnapshot, _ reader: inout RecordReader) {
    do {
      let state = try reader.state(snapshot.body, of: .session, format: snapshot.format)
      guard case .session(let session)? = state else { return }
      group = session.group
      title = session.activity.metadata.title
    } catch {}
  }
}
