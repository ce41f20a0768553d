import Coordination
import GRDB
import Vocabulary

/// The events behind the snapshots of live streams, stream by stream.
struct EventRows {
  private var rows: StreamRows
  /// What one stream has grows here, and is mapped into an array of its size, which an `Array` of it
  /// would not be: a start touches less memory.
  private var buffer: [RecordedEvent] = []

  /// - Parameter isOfDevices: whether the streams are those of devices, or all others.
  init(_ database: Database, isOfDevices: Bool) {
    rows = StreamRows(
      database, isOfDevices ? JournalSQL.liveDeviceEvents : JournalSQL.liveEvents)
  }

  /// A stream's events behind the one of that number.
  ///
  /// - Throws: ``Damage`` where one is missing or has changed, `UnreadableRecord`, `NewerRecord`.
  mutating func events(
    of stream: Int64, _ kind: AggregateKind, after seq: Int, _ reader: inout RecordReader
  ) throws -> [RecordedEvent] {
    buffer.removeAll(keepingCapacity: true)
    while let row = try rows.next(of: stream) {
      let record = try JournalRow.Record(row, of: stream, from: 1)
      let expected = seq + buffer.count + 1
      guard record.seq == Int64(expected) else {
        throw Damage("event \(expected) of stream \(stream) is missing")
      }
      buffer.append(
        RecordedEvent(
          at: Instant(microseconds: record.at),
          event: try reader.event(record.body, of: kind, format: record.format)))
    }
    return buffer.map { $0 }
  }
}
