import Coordination
import GroupSessions
import Vocabulary

/// An append-only event log in memory, with the compare-and-append of a journal that nodes share.
final class SharedJournal {
  private(set) var streams: [AggregateID: [RecordedEvent]] = [:]
  private var snapshots: [AggregateID: AggregateState] = [:]
  private var answers: [DeviceID: [Int: RecordedAnswer]] = [:]
  /// All appends that were kept, of streams that are over, too.
  private(set) var everything: [Append] = []
  /// What was done to it, in order.
  private(set) var history: [Step] = []
  /// The aggregates that are over.
  private var forgotten: Set<AggregateID> = []
  /// The streams that are not over.
  var live: [AggregateID: [RecordedEvent]] { streams.filter { !forgotten.contains($0.key) } }
  /// How many batches are to fail before writing works again.
  var failures = 0
  private var isFailing = false
  /// What becomes of appends while it lasts.
  var weather: JournalWeather?

  /// What is kept from here on succeeds or fails together.
  func beginBatch() {
    isFailing = failures > 0
    failures = max(0, failures - 1)
  }

  /// One thing done to a journal.
  enum Step {
    case keep(Append)
    case forget(AggregateID)
  }

  init() {}

  /// The journal as it was after these steps, such as when its server was killed.
  init(_ steps: some Collection<Step>) {
    for step in steps {
      switch step {
      case .keep(let append): _ = keep(append)
      case .forget(let id): forget(id)
      }
    }
  }

  /// Keeps events behind the one numbered `after`, or hands out those that stand there already.
  func keep(_ append: Append) -> AppendOutcome {
    guard !isFailing else { return .failed }
    switch weather?.verdict(on: append, behind: streams[append.aggregate] ?? []) {
    case .fail: return .failed
    case .precede(let other): streams[append.aggregate]?.append(other)
    case .keep, nil: break
    }
    if append.events.isEmpty, append.after == 0, forgotten.contains(append.aggregate) {
      return keepAnswer(of: append)  // It begins no stream.
    }
    if append.after == 0, forgotten.remove(append.aggregate) != nil {
      streams[append.aggregate] = []  // The name is used again: a new stream.
      snapshots[append.aggregate] = nil
    }
    let stream = streams[append.aggregate, default: []]
    guard stream.count == append.after else {
      return .preceded(by: Array(stream[min(append.after, stream.count)...]))
    }
    if !append.events.isEmpty { streams[append.aggregate] = stream + append.events }
    return keepAnswer(of: append)
  }

  private func keepAnswer(of append: Append) -> AppendOutcome {
    everything.append(append)
    history.append(.keep(append))
    for answer in append.steps.compactMap(\.answer) {
      answers[answer.device, default: [:]][answer.number] = answer
    }
    return .kept
  }

  func snapshot(of id: AggregateID) -> AggregateState? { snapshots[id] }

  /// Keeps a state, so that the events up to it need not be read.
  func keep(_ state: AggregateState) { snapshots[state.aggregate] = state }

  /// An aggregate is over; its events stay, to be replayed by the tests.
  func forget(_ id: AggregateID) {
    forgotten.insert(id)
    history.append(.forget(id))
    if case .device(let device) = id { answers[device] = nil }
  }

  /// Streams lose their ends or are lost, as those of a damaged file are.
  func damage(by random: inout SplitMix64) {
    for id in streams.keys.sorted(by: { "\($0)" < "\($1)" }) where !forgotten.contains(id) {
      guard let events = streams[id], !events.isEmpty else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: streams[id] = []
      case 1: streams[id] = Array(events.prefix(Int.random(in: 1...events.count, using: &random)))
      default: break
      }
    }
  }

  /// What a server would go on from.
  func recovery() throws -> Recovery {
    var recovery = Recovery()
    for (id, events) in streams where !forgotten.contains(id) && !events.isEmpty {
      let late: [RecordedAnswer] =
        if case .device(let device) = id { Array(answers[device, default: [:]].values) } else { [] }
      let snapshot = snapshots[id]
      try recovery.take(
        RecordedStream(
          id, snapshot: snapshot, known: events, earlierCount: snapshot?.seq ?? 0,
          answers: AnswerMemory(late.inOrder())))
    }
    let endings = streams.compactMap { id, events -> SessionEnding? in
      guard case .session(let session) = id, case .session(.ended(let reason)) = events.last?.event
      else { return nil }
      return SessionEnding(session, reason)
    }
    recovery.take(endings.sorted { $0.session < $1.session })
    return recovery
  }
}
