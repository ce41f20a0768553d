import Coordination
import PostgreSQL
import Vocabulary

/// What some turns of the loop do to the rows of a journal in PostgreSQL, in one call of `append`.
///
/// What comes later in a batch may undo what came before: a stream that begins and ends in it is
/// inserted as an ended one or not at all, and of two answers in one slot the later one is stored.
struct PostgreSQLBatch: Sendable {
  /// What it was made of.
  let entries: [JournalEntry]
  private let answersPerDevice: Int
  private var lastStream: Int64 = 0

  private struct Event {
    let seq: Int
    let at: Instant
    let body: String
  }

  private struct Snapshot {
    let seq: Int
    let at: Instant
    let body: String
  }

  private struct Slot: Hashable {
    let device: Int64
    let slot: Int64
  }

  /// Streams that begin, by id, with the instant of their end.
  private var begun: [Int64: (stream: LiveStream, ended: Instant?)] = [:]
  /// The last event of each older stream that goes on, before the batch.
  private var heads: [Int64: Int] = [:]
  /// The events of each stream.
  private var events: [Int64: [Event]] = [:]
  private var snapshots: [Int64: Snapshot] = [:]
  private var answers: [Slot: EncodedAppend.Answer] = [:]
  /// Older streams that end and are erased.
  private var erased: [Int64] = []
  /// Older streams that end and stay.
  private var ended: [(stream: Int64, at: Instant)] = []

  /// Collects entries after the ends that could not be kept, and changes the live streams
  /// accordingly.
  init(_ entries: [JournalEntry], _ streams: inout LiveStreams, answersPerDevice: Int) {
    self.entries = streams.begin(entries)
    self.answersPerDevice = answersPerDevice
    for entry in self.entries {
      switch entry {
      case .append(let append): take(append, &streams)
      case .snapshot(let aggregate, let seq, let at, let body):
        guard let stream = streams[aggregate] else { continue }
        snapshots[stream.id] = Snapshot(seq: seq, at: at, body: body)
      case .forget(let aggregate, let at): end(aggregate, at: at, &streams)
      }
    }
    lastStream = streams.lastID
  }

  private mutating func take(_ append: EncodedAppend, _ streams: inout LiveStreams) {
    var stream = streams[append.aggregate]
    for step in append.steps {
      if let first = step.events.first {
        var live = stream ?? begin(append.aggregate, at: first.at, &streams)
        precondition(
          stream != nil || append.after == 0,
          "\(append.aggregate) has 0 events, not \(append.after)")
        if begun[live.id] == nil, heads[live.id] == nil { heads[live.id] = append.after }
        for event in step.events {
          live.seq += 1
          events[live.id, default: []].append(
            Event(seq: live.seq, at: event.at, body: event.body))
        }
        stream = live
        // A device's answer comes with its first event.
        streams.set(live, of: append.aggregate)
      }
      if let answer = step.answer { take(answer, streams) }
    }
  }

  private mutating func begin(
    _ aggregate: AggregateID, at instant: Instant, _ streams: inout LiveStreams
  ) -> LiveStream {
    let stream = streams.begin(aggregate, at: instant)
    begun[stream.id] = (stream, nil)
    return stream
  }

  /// Takes an answer, unless its device is gone and will not repeat the request.
  private mutating func take(_ answer: EncodedAppend.Answer, _ streams: LiveStreams) {
    guard let device = streams[.device(answer.device)] else { return }
    answers[Slot(device: device.id, slot: Int64(answer.number % answersPerDevice))] = answer
  }

  private mutating func end(
    _ aggregate: AggregateID, at instant: Instant, _ streams: inout LiveStreams
  ) {
    guard let stream = streams[aggregate] else { return }
    streams.set(nil, of: aggregate)
    snapshots[stream.id] = nil
    guard aggregate.kind.isErasedAtEnd else {
      if begun[stream.id] != nil {
        begun[stream.id]?.ended = instant
      } else {
        ended.append((stream.id, instant))
      }
      return
    }
    events[stream.id] = nil
    answers = answers.filter { $0.key.device != stream.id }
    if begun.removeValue(forKey: stream.id) == nil {
      heads[stream.id] = nil
      erased.append(stream.id)
    }
  }

  /// The parameters of `append`; see ``PostgreSQLSchema``.
  ///
  /// - Parameters:
  ///   - number: the batch's number.
  ///   - incarnation: the writer's.
  ///   - retention: how long history is kept.
  func values(
    _ number: Int64, by incarnation: Int64, retention: Duration
  ) -> [PostgreSQLValue] {
    [
      .number(incarnation), .number(number), .number(lastStream),
      .number(Int64(JournalFormat.current)), .number(retention.microseconds),
    ] + headColumns + eventColumns + snapshotColumns + endColumns + beginningColumns
      + answerColumns
  }

  private var headColumns: [PostgreSQLValue] {
    let heads = heads.sorted { $0.key < $1.key }
    return [
      .numbers(heads.map(\.key)), .numbers(heads.map { Int64($0.value) }),
      .numbers(heads.map { Int64(events[$0.key]?.count ?? 0) }),
    ]
  }

  private var eventColumns: [PostgreSQLValue] {
    let rows = events.sorted { $0.key < $1.key }
      .flatMap { stream, events in events.map { (stream, $0) } }
    return [
      .numbers(rows.map(\.0)), .numbers(rows.map { Int64($0.1.seq) }),
      .numbers(rows.map(\.1.at.microseconds)), .texts(rows.map(\.1.body)),
    ]
  }

  private var snapshotColumns: [PostgreSQLValue] {
    let rows = snapshots.sorted { $0.key < $1.key }
    return [
      .numbers(rows.map(\.key)), .numbers(rows.map { Int64($0.value.seq) }),
      .numbers(rows.map(\.value.at.microseconds)), .texts(rows.map(\.value.body)),
    ]
  }

  private var endColumns: [PostgreSQLValue] {
    [
      .numbers(erased), .numbers(ended.map(\.stream)),
      .numbers(ended.map(\.at.microseconds)),
    ]
  }

  private var beginningColumns: [PostgreSQLValue] {
    let rows = begun.values.sorted { $0.stream.id < $1.stream.id }
    return [
      .numbers(rows.map(\.stream.id)), .texts(rows.map(\.stream.aggregate.kind.rawValue)),
      .texts(rows.map(\.stream.aggregate.name)),
      .numbers(rows.map { Int64(events[$0.stream.id]?.count ?? 0) }),
      .numbers(rows.map(\.stream.began)), .numbers(rows.map { $0.ended?.microseconds }),
    ]
  }

  private var answerColumns: [PostgreSQLValue] {
    let rows = answers.sorted { ($0.key.device, $0.key.slot) < ($1.key.device, $1.key.slot) }
    return [
      .numbers(rows.map(\.key.device)), .numbers(rows.map(\.key.slot)),
      .numbers(rows.map { Int64($0.value.number) }), .numbers(rows.map(\.value.request)),
      .texts(rows.map(\.value.body)),
    ]
  }
}
