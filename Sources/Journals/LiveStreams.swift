import Coordination
import Vocabulary

/// The live streams of a journal as its writer knows them, so that an append reads nothing.
///
/// Changes are made batch by batch, and those of a batch that could not be kept are undone.
struct LiveStreams {
  private var streams: [AggregateID: LiveStream]
  /// The largest id of any stream.
  private(set) var lastID: Int64
  /// What the current batch replaced, latest last.
  private var changes: [(aggregate: AggregateID, before: LiveStream?)] = []
  /// Ends that could not be kept, with their instants; they precede the next batch.
  ///
  /// They are ends of live streams, so their number is bounded by that of live streams.
  private var unkeptEnds: [AggregateID: Instant] = [:]

  init(_ live: [LiveStream], lastID: Int64) {
    streams = Dictionary(live.map { ($0.aggregate, $0) }) { first, _ in first }
    self.lastID = lastID
  }

  var count: Int { streams.count }

  /// A live stream; `nil` if the aggregate has none.
  subscript(aggregate: AggregateID) -> LiveStream? { streams[aggregate] }

  /// Begins a stream, which is live once it is set.
  mutating func begin(_ aggregate: AggregateID, at instant: Instant) -> LiveStream {
    lastID += 1
    return LiveStream(id: lastID, aggregate: aggregate, began: instant.microseconds, seq: 0)
  }

  /// Sets a stream, or ends it by `nil`.
  mutating func set(_ stream: LiveStream?, of aggregate: AggregateID) {
    changes.append((aggregate, streams[aggregate]))
    streams[aggregate] = stream
  }

  /// Begins a batch.
  ///
  /// - Returns: the ends that could not be kept before, and the entries.
  mutating func begin(_ entries: [JournalEntry]) -> [JournalEntry] {
    defer { unkeptEnds = [:] }
    return unkeptEnds.map { .forget($0.key, at: $0.value) } + entries
  }

  /// The current batch is kept.
  mutating func keep() {
    changes = []
  }

  /// Undoes the changes of the current batch, and remembers its ends.
  mutating func undo(_ batch: some Sequence<JournalEntry>) {
    for change in changes.reversed() { streams[change.aggregate] = change.before }
    changes = []
    postponeEnds(of: batch)
  }

  /// Remembers the ends in a batch that was not tried.
  mutating func postponeEnds(of batch: some Sequence<JournalEntry>) {
    for case .forget(let aggregate, let at) in batch where streams[aggregate] != nil {
      unkeptEnds[aggregate] = at
    }
  }
}

/// The id of a live stream in the journal, and its last event.
struct LiveStream: Equatable, Sendable {
  let id: Int64
  let aggregate: AggregateID
  /// The instant of its first event in microseconds, as stored.
  let began: Int64
  /// The number of its last event.
  var seq: Int
}
