import Coordination
import GroupSessions
import InAppMessaging
import Vocabulary

/// A live stream as read from the file.
struct ReadStream: Sendable {
  let recorded: RecordedStream
  /// When its snapshot was taken.
  let snapshotAt: Int64?
  /// The answers in its events that are in no ring yet.
  let answers: [JournalRow.Answer]
}

/// How much of the live streams to read.
struct ReadingExtent: Sendable {
  /// The remembered answers of each device.
  let answersPerDevice: Int
  /// The events of each session that its snapshot includes.
  let earlierEvents: Int
  /// Earlier events than this are left out.
  let start: Instant
}

/// The rows of live streams, each kind of them in the order of the streams' ids.
protocol LiveRows {
  /// Starts reading a range of streams, either devices or all others.
  mutating func begin(
    _ streams: ClosedRange<Int64>, _ extent: ReadingExtent, ofDevices: Bool) throws

  /// A stream's snapshot; `nil` if it has none.
  mutating func snapshot(of stream: Int64) throws -> JournalRow.Record?

  /// A stream's next event, with the answer in its row; `nil` after the last one.
  mutating func event(
    of stream: Int64
  ) throws -> (record: JournalRow.Record, answer: JournalRow.Answer?)?

  /// A device's next answer; `nil` after the last one.
  mutating func answer(of stream: Int64) throws -> JournalRow.Answer?
}

/// Reads live streams through one connection, by merging their rows.
///
/// Devices are read last, because the events of other streams hold answers for them.
struct StreamReading<Rows: LiveRows>: ~Copyable {
  private let extent: ReadingExtent
  /// The answers that are in no ring; `nil` when reading streams other than devices.
  private let unfiledAnswers: UnfiledAnswers?
  private var reader = RecordReader()
  private var rows: Rows
  private var events = StreamEvents()
  /// One device's answers before sorting, reused to allocate less.
  private var buffer: [RecordedAnswer] = []

  init(_ rows: Rows, _ extent: ReadingExtent, _ unfiledAnswers: UnfiledAnswers?) {
    (self.rows, self.extent, self.unfiledAnswers) = (rows, extent, unfiledAnswers)
  }

  /// Reads streams that are consecutive among those of their kind (devices or others).
  ///
  /// - Throws: ``Damage`` if the file is not as it was written, ``NewerRecord`` if a newer Matinee
  ///   wrote to it.
  mutating func read(
    _ streams: ArraySlice<JournalRow.Stream>
  ) throws -> [Result<ReadStream, UnreadableRecord>] {
    guard let first = streams.first?.id, let last = streams.last?.id else { return [] }
    try rows.begin(first...last, extent, ofDevices: unfiledAnswers != nil)
    var all: [Result<ReadStream, UnreadableRecord>] = []
    all.reserveCapacity(streams.count)
    for stream in streams {
      do {
        all.append(.success(try read(stream)))
      } catch let error as UnreadableRecord {
        all.append(.failure(error))
      }
    }
    return all
  }

  private mutating func read(_ stream: JournalRow.Stream) throws -> ReadStream {
    guard let kind = AggregateKind(rawValue: stream.kind) else {
      throw UnreadableRecord("it is of a kind that this Matinee does not know")
    }
    let aggregate = AggregateID(kind, stream.name)
    let snapshot = try snapshot(of: stream.id, aggregate)
    let read = try events.read(
      of: stream.id, kind, around: snapshot?.state.seq ?? 0, from: &rows, &reader)
    guard snapshot != nil || !read.events.isEmpty else {
      throw Damage("stream \(stream.id) has no events")
    }
    guard snapshot != nil || read.events.first?.event.isBeginning == true else {
      throw UnreadableRecord("it has no beginning")
    }
    var recorded = RecordedStream(
      aggregate, snapshot: snapshot?.state, known: read.events, earlierCount: read.earlierCount)
    if case .device(let device) = aggregate {
      recorded.answers = try answers(of: stream.id, device)
    }
    return ReadStream(recorded: recorded, snapshotAt: snapshot?.at, answers: read.answers)
  }

  private mutating func snapshot(
    of stream: Int64, _ aggregate: AggregateID
  ) throws -> (state: AggregateState, at: Int64)? {
    guard let record = try rows.snapshot(of: stream) else { return nil }
    guard
      let state = try reader.state(record.body, of: aggregate.kind, format: record.format),
      state.aggregate == aggregate, Int64(state.seq) == record.seq
    else { throw UnreadableRecord("its snapshot is of another stream or event") }
    return (state, record.at)
  }

  private mutating func answers(
    of stream: Int64, _ device: DeviceID
  ) throws -> AnswerMemory {
    buffer.removeAll(keepingCapacity: true)
    while let answer = try rows.answer(of: stream) {
      buffer.append(try outcome(answer, device))
    }
    for answer in unfiledAnswers?[stream] ?? [] { buffer.append(try outcome(answer, device)) }
    let oldest = (buffer.lazy.map(\.number).max() ?? 0) - extent.answersPerDevice
    // Unfiled answers replace some in the ring, and a ring smaller than before leaves old ones
    // behind.
    if buffer.contains(where: { $0.number <= oldest }) {
      buffer.removeAll { $0.number <= oldest }
    }
    return AnswerMemory(buffer.inOrder())
  }

  private mutating func outcome(
    _ answer: JournalRow.Answer, _ device: DeviceID
  ) throws -> RecordedAnswer {
    RecordedAnswer(
      device: device, request: answer.request,
      try reader.outcome(answer.body, format: answer.format), number: Int(answer.number))
  }
}

extension AggregateEvent {
  /// Whether a stream may begin with it.
  fileprivate var isBeginning: Bool {
    switch self {
    case .group(.opened), .session(.began), .attachment(.began), .device(.greeted),
      .name(.claimed):
      true
    // Any event may be the first one known of a person.
    case .user, .tray: true
    default: false
    }
  }
}

/// The events of one live stream after the other.
private struct StreamEvents {
  /// The events of one stream.
  struct Read {
    let events: [RecordedEvent]
    /// How many of them the snapshot includes.
    let earlierCount: Int
    /// The answers in the rows of the later events.
    let answers: [JournalRow.Answer]
  }

  // Buffers for one stream, copied into arrays of the exact size so that a start touches less
  // memory.
  private var earlier: [RecordedEvent] = []
  private var later: [RecordedEvent] = []
  private var answers: [JournalRow.Answer] = []
  /// The number of the last earlier event.
  private var lastEarlier: Int64 = 0

  /// A stream's events: all after `seq`, and the earlier ones that are readable without a gap up to
  /// `seq`.
  ///
  /// - Throws: ``Damage`` if a later event is missing or a row has changed; `UnreadableRecord`;
  ///   `NewerRecord`.
  mutating func read(
    of stream: Int64, _ kind: AggregateKind, around seq: Int, from rows: inout some LiveRows,
    _ reader: inout RecordReader
  ) throws -> Read {
    earlier.removeAll(keepingCapacity: true)
    later.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    lastEarlier = 0
    while let (record, answer) = try rows.event(of: stream) {
      if record.seq <= Int64(seq) {
        try takeEarlier(record, kind, &reader)
        continue
      }
      let expected = seq + later.count + 1
      guard record.seq == Int64(expected) else {
        throw Damage("event \(expected) of stream \(stream) is missing")
      }
      later.append(try event(record, kind, &reader))
      if let answer { answers.append(answer) }
    }
    if lastEarlier != Int64(seq) { earlier.removeAll(keepingCapacity: true) }
    var all: [RecordedEvent] = []
    all.reserveCapacity(earlier.count + later.count)
    all += earlier
    all += later
    return Read(events: all, earlierCount: earlier.count, answers: answers)
  }

  /// Keeps an earlier event only if all events after it are there, because peers are sent events
  /// without gaps.
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
