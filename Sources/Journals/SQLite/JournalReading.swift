import Coordination
import GRDB
import GroupSessions
import Vocabulary

/// Reads a journal's file in one transaction.
///
/// Streams, snapshots and events come from one statement each, all in the order of the streams, and
/// are put together on the way; devices are read beside, by a ``DeviceReading``.
struct JournalReading: ~Copyable {
  private let database: Database
  private let now: Instant
  private let limits: Limits
  private let path: String
  private let answersPerDevice: Int
  private var reader = RecordReader()
  private var contents = JournalContents()
  private var live: [LiveStream] = []
  /// The sessions with a snapshot, by their places in the contents, and when it was taken.
  private var shortened: [(place: Int, stream: Int64, at: Int64)] = []
  private var snapshots: StreamRows
  private var events: EventRows

  /// - Parameter path: where the file is, for a second connection to it.
  init(
    _ database: Database, path: String, limits: Limits, answersPerDevice: Int, at now: Instant
  ) {
    self.database = database
    self.path = path
    self.limits = limits
    self.answersPerDevice = answersPerDevice
    self.now = now
    snapshots = StreamRows(database, JournalSQL.liveSnapshots)
    events = EventRows(database, isOfDevices: false)
  }

  /// All that a server goes on from, and where each live stream lies.
  ///
  /// A stream that cannot be understood is set aside under another kind: its name is free again.
  ///
  /// - Throws: ``Damage`` where the file is not as it was written, ``NewerRecord`` where a newer
  ///   Matinee wrote to it.
  consuming func readAll() throws -> (JournalContents, [LiveStream]) {
    let streams = try Row.fetchAll(database, sql: JournalSQL.liveStreams)
      .map { (row) throws(Damage) in try JournalRow.Stream(row) }
    try check(streams)
    let devices = DeviceReading(
      path, of: streams.filter(\.isOfDevice), answersPerDevice: answersPerDevice)
    // Nobody moves a damaged file away under it.
    defer { devices.wait() }
    var unreadable: [(JournalRow.Stream, UnreadableRecord)] = []
    for stream in streams where !stream.isOfDevice {
      do {
        try read(stream)
      } catch let error as UnreadableRecord {
        unreadable.append((stream, error))
      }
    }
    let known = try devices.get()
    for stream in streams {
      guard let device = known[stream.id] else { continue }
      do {
        try take(device.get(), of: stream, snapshotAt: nil)
      } catch let error as UnreadableRecord {
        unreadable.append((stream, error))
      }
    }
    try readEndings(limits.tombstones)
    try readClock()
    try readEarlier()
    for (stream, error) in unreadable { try setAside(stream, error) }
    if !unreadable.isEmpty { try database.setTally(live.count) }
    return (contents, live)
  }

  /// An index may have lost what the table has, or have it twice.
  private func check(_ streams: [JournalRow.Stream]) throws {
    guard streams.allSatisfy({ $0.ended == nil }),
      Set(streams.map(\.id)).count == streams.count
    else { throw Damage("the index of live streams lists others") }
    let expected = try Int64.fetchOne(database, sql: JournalSQL.liveCount)
    guard expected == Int64(streams.count) else {
      throw Damage("there are \(streams.count) live streams, not \(expected ?? 0)")
    }
  }

  private mutating func setAside(
    _ stream: JournalRow.Stream, _ error: UnreadableRecord
  ) throws {
    let now = contents.latest ?? now
    try database.end(
      stream.id, "unreadable \(stream.kind)", stream.name, began: stream.began,
      at: now.microseconds)
    let notice =
      "the \(stream.kind) \(stream.name) cannot be read and is set aside as stream \(stream.id): "
      + "\(error)"
    try database.addNotice(notice, at: now)
    contents.notices.append(notice)
  }

  private mutating func note(_ instant: Int64) {
    contents.latest = max(
      contents.latest ?? .init(microseconds: instant), .init(microseconds: instant))
  }
}

// MARK: Streams

extension JournalReading {
  private mutating func read(_ stream: JournalRow.Stream) throws {
    guard let kind = AggregateKind(rawValue: stream.kind) else {
      throw UnreadableRecord("it is of a kind that this Matinee does not know")
    }
    let aggregate = AggregateID(kind, stream.name)
    let snapshot = try snapshot(of: stream.id, aggregate)
    let seq = snapshot?.state.seq ?? 0
    let events = try events.events(of: stream.id, kind, after: seq, &reader)
    try take(
      RecordedStream(aggregate, snapshot: snapshot?.state, events: events), of: stream,
      snapshotAt: snapshot?.at)
  }

  /// Makes a stream one of the contents.
  private mutating func take(
    _ recorded: RecordedStream, of stream: JournalRow.Stream, snapshotAt: Int64?
  ) throws {
    let (snapshot, events) = (recorded.snapshot, recorded.events)
    guard snapshot != nil || !events.isEmpty else {
      throw Damage("stream \(stream.id) has no events")
    }
    guard snapshot != nil || events.first?.event.isBeginning == true else {
      throw UnreadableRecord("it has no beginning")
    }
    if case .session = snapshot, let snapshotAt {
      shortened.append((contents.streams.count, stream.id, snapshotAt))
    }
    contents.streams.append(recorded)
    live.append(
      LiveStream(
        id: stream.id, aggregate: recorded.aggregate, began: stream.began,
        seq: (snapshot?.seq ?? 0) + events.count))
    if let instant = events.last?.at.microseconds ?? snapshotAt { note(instant) }
  }

  private mutating func snapshot(
    of stream: Int64, _ aggregate: AggregateID
  ) throws -> (state: AggregateState, at: Int64)? {
    guard let row = try snapshots.next(of: stream) else { return nil }
    let record = try JournalRow.Record(row, of: stream, from: 1)
    guard
      let state = try reader.state(record.body, of: aggregate.kind, format: record.format),
      state.aggregate == aggregate, Int64(state.seq) == record.seq
    else { throw UnreadableRecord("its snapshot is of something else") }
    return (state, record.at)
  }

  /// What peers that were away may have missed of what snapshots hold: those who were lost a grace
  /// before the end may not resume any more.
  private mutating func readEarlier() throws {
    guard let latest = contents.latest else { return }
    let start = latest - limits.resumeGrace
    for (place, stream, at) in shortened where Instant(microseconds: at) >= start {
      let seq = contents.streams[place].snapshot?.seq ?? 0
      contents.streams[place].earlier = try earlierEvents(of: stream, upTo: seq, since: start)
    }
  }

  /// As much as a server keeps for peers that resume, and can be read.
  private mutating func earlierEvents(
    of stream: Int64, upTo seq: Int, since start: Instant
  ) throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: JournalSQL.earlierEvents),
      arguments: [stream, seq, limits.retainedEvents])
    while let row = try rows.next() {
      let record = try JournalRow.Record(row, of: stream)
      let at = Instant(microseconds: record.at)
      guard at >= start, record.seq == Int64(seq - events.count) else { break }
      do {
        let event = try reader.event(record.body, of: .session, format: record.format)
        events.append(RecordedEvent(at: at, event: event))
      } catch is UnreadableRecord {
        break
      }
    }
    return events.reversed()
  }
}

// MARK: What is not live

extension JournalReading {
  private mutating func readEndings(_ count: Int) throws {
    let rows = try Row.fetchCursor(database, sql: JournalSQL.endings, arguments: [count])
    while let row = try rows.next() {
      let stream = try JournalRow.Stream(row)
      let record = try JournalRow.Record(row, of: stream.id, from: 6)
      do {
        let event = try reader.event(record.body, of: .session, format: record.format)
        guard case .session(.ended(let reason)) = event else { continue }
        contents.endings.append(SessionEnding(SessionID(stream.name), reason))
      } catch let error as UnreadableRecord {
        contents.notices.append("how the session \(stream.name) ended cannot be read: \(error)")
      }
    }
    if let end = try Int64.fetchOne(database, sql: JournalSQL.latestEnd) { note(end) }
  }

  private mutating func readClock() throws {
    guard let row = try Row.fetchOne(database, sql: JournalSQL.clock) else { return }
    let (boot, host, instant) = try JournalRow.clock(row)
    contents.clock = ClockTie(
      boot: boot, host: HostTime(microseconds: host), instant: Instant(microseconds: instant))
  }
}

extension AggregateEvent {
  /// Whether a stream may begin with it.
  fileprivate var isBeginning: Bool {
    switch self {
    case .group(.opened), .session(.began), .device(.greeted): true
    default: false
    }
  }
}

extension JournalRow.Stream {
  fileprivate var isOfDevice: Bool { kind == AggregateKind.device.rawValue }
}
