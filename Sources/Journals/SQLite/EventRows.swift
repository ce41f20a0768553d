import Coordination
import GRDB
import Vocabulary

/// The events of live streams, stream by stream.
struct EventRows {
  /// What a stream has.
  struct Read {
    let events: [RecordedEvent]
    /// How many of them its snapshot holds.
    let earlierCount: Int
    /// What stands in the rows of the others.
    let answers: [JournalRow.Answer]
  }

  private var rows: StreamRows
  // What one stream has grows here, and is put into an array of its size: a start touches less memory.
  private var earlier: [RecordedEvent] = []
  private var later: [RecordedEvent] = []
  private var answers: [JournalRow.Answer] = []
  /// The number of the last earlier event.
  private var lastEarlier: Int64 = 0

  init(_ database: Database) throws {
    rows = try StreamRows(database, JournalSQL.liveEvents)
  }

  /// Goes to the first of a number of streams: of those that are devices', or of the others.
  ///
  /// - Parameters:
  ///   - streams: the numbers of the first and the last.
  ///   - earlier: how many events that a session's snapshot holds are wanted, the last ones.
  ///   - start: none of these is wanted that is older.
  mutating func begin(
    _ streams: ClosedRange<Int64>, earlier: Int, since start: Instant, ofDevices: Bool
  ) throws {
    try rows.begin([
      streams.lowerBound, streams.upperBound, start.microseconds, earlier, ofDevices,
    ])
  }

  /// A stream's events: those up to the one of that number, which its snapshot holds, as far as they
  /// are there without a gap and can be read, and all behind it.
  ///
  /// - Throws: ``Damage`` where one behind it is missing or any has changed, `UnreadableRecord`,
  ///   `NewerRecord`.
  mutating func events(
    of stream: Int64, _ kind: AggregateKind, around seq: Int, _ reader: inout RecordReader
  ) throws -> Read {
    earlier.removeAll(keepingCapacity: true)
    later.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    lastEarlier = 0
    while let row = try rows.next(of: stream) {
      let record = try JournalRow.Record(row, of: stream, from: 1)
      if record.seq <= Int64(seq) {
        try takeEarlier(record, kind, &reader)
        continue
      }
      let expected = seq + later.count + 1
      guard record.seq == Int64(expected) else {
        throw Damage("event \(expected) of stream \(stream) is missing")
      }
      later.append(try event(record, kind, &reader))
      if let answer = try JournalRow.Answer(ofEvent: row, from: 6) { answers.append(answer) }
    }
    if lastEarlier != Int64(seq) { earlier.removeAll(keepingCapacity: true) }
    var all: [RecordedEvent] = []
    all.reserveCapacity(earlier.count + later.count)
    all += earlier
    all += later
    return Read(events: all, earlierCount: earlier.count, answers: answers)
  }

  /// Nobody is told of an event without those behind it.
  private mutating func takeEarlier(
    _ record: JournalRow.Record, _ kind: AggregateKind, _ reader: inout RecordReader
  ) throws {
    if record.seq != lastEarlier + 1 { earlier.removeAll(keepingCapacity: true) }
    lastEarlier = record.seq
    do {
      earlier.append(try event(record, kind, &reader))
    } catch is UnreadableRecord {
      earlier.removeAll(keepingCapacity: true)
    }
  }

  private func event(
    _ record: JournalRow.Record, _ kind: AggregateKind, _ reader: inout RecordReader
  ) throws -> RecordedEvent {
    RecordedEvent(
      at: Instant(microseconds: record.at),
      event: try reader.event(record.body, of: kind, format: record.format))
  }
}
