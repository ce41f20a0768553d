import Coordination
import GRDB
import GroupSessions
import Vocabulary

/// Reads a journal's file in one transaction.
struct JournalReading: ~Copyable {
  private let database: Database
  private let now: Instant
  private let limits: Limits
  private var reader = RecordReader()

  init(_ database: Database, limits: Limits, at now: Instant) {
    self.database = database
    self.limits = limits
    self.now = now
  }

  /// All that a server goes on from, and where each live stream lies.
  ///
  /// A stream that cannot be read is set aside under another kind: its name is free again.
  mutating func contents() throws -> (JournalContents, [JournalFile.LiveStream]) {
    var contents = JournalContents()
    contents.latest = try Int64.fetchOne(database, sql: JournalSQL.latest)
      .map { Instant(microseconds: $0) }
    // Who was lost before that may not resume any more.
    let missed = contents.latest.map { $0 - limits.resumeGrace }
    var live: [JournalFile.LiveStream] = []
    for row in try Row.fetchAll(database, sql: JournalSQL.liveStreams) {
      let (id, kind, name): (Int64, String, String) = (row[0], row[1], row[2])
      do {
        let stream = try self.stream(row, missedSince: missed)
        contents.streams.append(stream)
        live.append(
          .init(
            id: id, aggregate: stream.aggregate,
            seq: (stream.snapshot?.seq ?? 0) + stream.events.count))
      } catch let error as UnreadableRecord {
        try database.execute(sql: JournalSQL.setAside, arguments: [now.microseconds, id])
        contents.notices.append(
          "the \(kind) \(name) cannot be read and is set aside as stream \(id): \(error)")
      }
    }
    contents.endings = try self.endings(limits.tombstones)
    contents.clock = try clock()
    return (contents, live)
  }

  private mutating func stream(_ row: Row, missedSince: Instant?) throws -> RecordedStream {
    let id: Int64 = row[0]
    guard let kind = AggregateKind(rawValue: row[1]) else {
      throw UnreadableRecord("it is of a kind that this Matinee does not know")
    }
    let snapshot: AggregateState? =
      if let body: String = row[5] {
        try reader.state(body, of: kind, format: row[4])
      } else { nil }
    return RecordedStream(
      AggregateID(kind, row[2]), snapshot: snapshot,
      earlier: kind == .session
        ? try earlierEvents(of: id, upTo: snapshot, since: missedSince) : [],
      events: try events(of: id, kind, after: snapshot?.seq ?? 0),
      answers: kind == .device ? try answers(of: id, DeviceID(row[2])) : [])
  }

  private mutating func events(
    of stream: Int64, _ kind: AggregateKind, after seq: Int
  ) throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: JournalSQL.events), arguments: [stream, seq])
    while let row = try rows.next() {
      let expected = seq + events.count + 1
      guard row[0] == expected else {
        throw UnreadableRecord("event \(expected) is missing")
      }
      events.append(
        RecordedEvent(
          at: Instant(microseconds: row[1]),
          event: try reader.event(row[3], of: kind, format: row[2])))
    }
    return events
  }

  /// What peers that were away may have missed of what a snapshot holds; as much as a server keeps
  /// for them, and can be read.
  private mutating func earlierEvents(
    of stream: Int64, upTo snapshot: AggregateState?, since start: Instant?
  ) throws -> [RecordedEvent] {
    guard let snapshot, let start else { return [] }
    var events: [RecordedEvent] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: JournalSQL.earlierEvents),
      arguments: [stream, snapshot.seq, limits.retainedEvents])
    while let row = try rows.next() {
      let at = Instant(microseconds: row[1])
      guard at >= start, row[0] == snapshot.seq - events.count else { break }
      do throws(UnreadableRecord) {
        events.append(
          RecordedEvent(at: at, event: try reader.event(row[3], of: .session, format: row[2])))
      } catch {
        break
      }
    }
    return events.reversed()
  }

  private mutating func answers(of stream: Int64, _ device: DeviceID) throws -> [RecordedAnswer] {
    var answers: [RecordedAnswer] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: JournalSQL.answers), arguments: [stream])
    while let row = try rows.next() {
      answers.append(
        RecordedAnswer(
          device: device, request: row[1], try reader.outcome(row[3], format: row[2]),
          number: row[0]))
    }
    return answers
  }

  private mutating func endings(_ count: Int) throws -> [SessionEnding] {
    var endings: [SessionEnding] = []
    let rows = try Row.fetchCursor(database, sql: JournalSQL.endings, arguments: [count])
    while let row = try rows.next() {
      let event = try reader.event(row[2], of: .session, format: row[1])
      guard case .session(.ended(let reason)) = event else { continue }
      endings.append(SessionEnding(SessionID(row[0]), reason))
    }
    return endings
  }

  private func clock() throws -> ClockTie? {
    try Row.fetchOne(database, sql: JournalSQL.clock).map { row in
      ClockTie(
        boot: row[0], host: HostTime(microseconds: row[1]), instant: Instant(microseconds: row[2]))
    }
  }
}
