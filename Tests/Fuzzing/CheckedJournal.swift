import Coordination
import Journals

/// A journal in memory, which checks that what it keeps can be read.
struct CheckedJournal: ~Copyable {
  /// How many appends are to fail.
  var failures = 0
  private var streams: [AggregateID: Stream] = [:]
  private var reader = RecordReader()
  private var writer = RecordWriter()

  private struct Stream {
    var events: [RecordedEvent] = []
    var snapshot: AggregateState?
    /// How many events are only in the snapshot.
    var missing = 0

    var seq: Int { missing + events.count }

    func recorded(_ aggregate: AggregateID) -> RecordedStream {
      RecordedStream(
        aggregate, snapshot: snapshot, known: events,
        earlierCount: snapshot.map { $0.seq - missing } ?? 0)
    }
  }

  /// Adds a stream that another server kept; false if it does not begin with its first event.
  mutating func add(
    _ aggregate: AggregateID, _ events: [RecordedEvent], after snapshot: AggregateState?
  ) -> Bool {
    let stream = Stream(events: events, snapshot: snapshot, missing: snapshot?.seq ?? 0)
    var recovery = Recovery()
    do throws(BrokenStream) { try recovery.take(stream.recorded(aggregate)) } catch { return false }
    streams[aggregate] = stream
    return true
  }

  mutating func keep(_ append: Append) throws(BrokenClaim) -> AppendOutcome {
    guard failures == 0 else {
      failures -= 1
      return .failed
    }
    if append.after == 0, !append.events.isEmpty { forget(append.aggregate) }
    let kept = streams[append.aggregate]?.seq ?? 0
    try require(
      append.events.isEmpty || kept == append.after,
      else: "\(append.aggregate) has \(kept) events, and \(append.after) are expected")
    for record in append.events { try check(record.event, of: append.aggregate.kind) }
    for outcome in append.steps.compactMap(\.answer?.outcome) { try check(outcome) }
    if !append.events.isEmpty {
      streams[append.aggregate, default: Stream()].events += append.events
    }
    return .kept
  }

  mutating func keep(_ state: AggregateState) throws(BrokenClaim) {
    let text = writer.text(of: state)
    let kind = state.aggregate.kind
    let read = try readable { try reader.state(text, of: kind, format: JournalFormat.current) }
    try require(read == state, else: "a snapshot is read as \(read, default: "nothing"): \(text)")
    streams[state.aggregate]?.snapshot = state
  }

  mutating func forget(_ aggregate: AggregateID) {
    streams[aggregate] = nil
  }

  /// What a server continues with.
  func recovery() throws(BrokenClaim) -> Recovery {
    var recovery = Recovery()
    let sorted = streams.sorted { left, right in
      (left.key.kind.rawValue, left.key.name) < (right.key.kind.rawValue, right.key.name)
    }
    for (aggregate, stream) in sorted {
      do throws(BrokenStream) { try recovery.take(stream.recorded(aggregate)) } catch {
        throw BrokenClaim("\(aggregate) does not begin with its first event")
      }
    }
    return recovery
  }

  private mutating func check(
    _ event: AggregateEvent, of kind: AggregateKind
  ) throws(BrokenClaim) {
    let text = writer.text(of: event)
    let read = try readable { try reader.event(text, of: kind, format: JournalFormat.current) }
    try require(read == event, else: "\(event) is read as \(read)")
  }

  private mutating func check(_ outcome: RequestOutcome) throws(BrokenClaim) {
    let text = writer.text(of: outcome)
    let read = try readable { try reader.outcome(text, format: JournalFormat.current) }
    try require(read == outcome, else: "\(outcome) is read as \(read)")
  }
}

/// What was read of what was just written.
private func readable<Value>(_ read: () throws -> Value) throws(BrokenClaim) -> Value {
  do { return try read() } catch { throw BrokenClaim("a row cannot be read: \(error)") }
}
