import Coordination
import GroupSessions
import Vocabulary

/// A journal in memory that stores at once and survives its server.
struct SimulatedJournal: Sendable {
  private var streams: [AggregateID: RecordedStream] = [:]
  private var endings: [SessionEnding] = []

  /// Stores an append.
  mutating func keep(_ append: Append) {
    for step in append.steps { keep(step, of: append.aggregate) }
  }

  private mutating func keep(_ step: Append.Step, of aggregate: AggregateID) {
    if !step.events.isEmpty {
      streams[aggregate, default: RecordedStream(aggregate)].append(step.events)
    }
    if let answer = step.answer {
      // A device that is gone repeats no request.
      streams[.device(answer.device)]?.answers.keep(answer, limit: Limits().rememberedAnswers)
    }
    for case .session(.ended(let reason)) in step.events.map(\.event) {
      guard case .session(let id) = aggregate else { continue }
      endings.append(SessionEnding(id, reason))
    }
  }

  /// Stores a snapshot in place of the earlier events.
  mutating func keep(_ state: AggregateState) {
    streams[state.aggregate]?.shorten(to: state)
  }

  /// Removes the stream of an aggregate that is over.
  mutating func forget(_ aggregate: AggregateID) { streams[aggregate] = nil }

  /// The contents for the next server.
  func recovery() throws(BrokenStream) -> Recovery {
    var recovery = Recovery()
    // In the same order in each run.
    for stream in streams.values.sorted(by: { "\($0.aggregate)" < "\($1.aggregate)" }) {
      try recovery.take(stream)
    }
    recovery.take(endings)
    return recovery
  }
}
