import Coordination
import GRDB
import GroupSessions
import Vocabulary

/// Reads a journal's file in one transaction.
///
/// Streams, events and answers come from one statement each, all in the order of the streams, and
/// are put together on the way: a statement for each stream would cost more than what it reads.
struct JournalReading: ~Copyable {
  private let database: Database
  private let now: Instant
  private var reader = RecordReader()
  /// What one stream has grows here, and is mapped into an array of its size, which an `Array` of it
  /// would not be: a start touches less memory.
  private var eventBuffer: [RecordedEvent] = []
  private var answerBuffer: [RecordedAnswer] = []

  init(_ database: Database, at now: Instant) {
    self.database = database
    self.now = now
  }

  /// All that a server goes on from, and where each live stream lies.
  ///
  /// A stream that cannot be read is set aside under another kind: its name is free again.
  mutating func contents(endings count: Int) throws -> (JournalContents, [JournalFile.LiveStream]) {
    var contents = JournalContents()
    var live: [JournalFile.LiveStream] = []
    var unreadable: [Int64] = []
    var events = try StreamRows(database, JournalSQL.events)
    var answers = try StreamRows(database, JournalSQL.answers)
    let rows = try Row.fetchCursor(database, sql: JournalSQL.liveStreams)
    while let row = try rows.next() {
      let (id, kind, name): (Int64, String, String) = (row[0], row[1], row[2])
      do {
        let stream = try self.stream(row, &events, &answers)
        contents.streams.append(stream)
        live.append(
          .init(
            id: id, aggregate: stream.aggregate,
            seq: (stream.snapshot?.seq ?? 0) + stream.events.count))
      } catch let error as UnreadableRecord {
        unreadable.append(id)
        contents.notices.append(
          "the \(kind) \(name) cannot be read and is set aside as stream \(id): \(error)")
      }
    }
    for id in unreadable {
      try database.execute(sql: JournalSQL.setAside, arguments: [now.microseconds, id])
    }
    contents.endings = try self.endings(count)
    contents.latest = try Int64.fetchOne(database, sql: JournalSQL.latest)
      .map { Instant(microseconds: $0) }
    contents.clock = try clock()
    return (contents, live)
  }

  private mutating func stream(
    _ row: Row, _ events: inout StreamRows, _ answers: inout StreamRows
  ) throws -> RecordedStream {
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
      events: try self.events(of: id, kind, after: snapshot?.seq ?? 0, from: &events),
      answers: kind == .device ? try self.answers(of: id, DeviceID(row[2]), from: &answers) : [])
  }

  private mutating func events(
    of stream: Int64, _ kind: AggregateKind, after seq: Int, from rows: inout StreamRows
  ) throws -> [RecordedEvent] {
    eventBuffer.removeAll(keepingCapacity: true)
    while let row = try rows.next(of: stream) {
      let expected = seq + eventBuffer.count + 1
      guard row[1] == expected else {
        throw UnreadableRecord("event \(expected) is missing")
      }
      eventBuffer.append(
        RecordedEvent(
          at: Instant(microseconds: row[2]),
          event: try reader.event(row[4], of: kind, format: row[3])))
    }
    return eventBuffer.map { $0 }
  }

  private mutating func answers(
    of stream: Int64, _ device: DeviceID, from rows: inout StreamRows
  ) throws -> [RecordedAnswer] {
    answerBuffer.removeAll(keepingCapacity: true)
    while let row = try rows.next(of: stream) {
      answerBuffer.append(
        RecordedAnswer(
          device: device, request: row[2], try reader.outcome(row[4], format: row[3]),
          number: row[1]))
    }
    return answerBuffer.map { $0 }
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
