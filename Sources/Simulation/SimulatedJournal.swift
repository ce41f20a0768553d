import Coordination
import GroupSessions
import Vocabulary

/// A journal in memory that outlives its server, in virtual time: it keeps everything at once.
struct SimulatedJournal: Sendable {
  private var streams: [AggregateID: RecordedStream] = [:]
  private var endings: [SessionEnding] = []

  /// Keeps an append, behind what is there.
  mutating func keep(_ append: Append) {
    for step in append.steps { keep(step, of: append.aggregate) }
  }

  private mutating func keep(_ step: Append.Step, of aggregate: AggregateID) {
    if !step.events.isEmpty {
      streams[aggregate, default: RecordedStream(aggregate)].append(step.events)
    }
    if let answer = step.answer {
      // A device that is gone asks nothing again.
      streams[.device(answer.device)]?.answers.keep(answer, limit: Limits().rememberedAnswers)
    }
    for case .session(.ended(let reason)) in step.events.map(\.event) {
      guard case .session(let id) = aggregate else { continue }
      endings.append(SessionEnding(id, reason))
    }
  }

  /// Keeps an aggregate as it is, in place of what made it so.
  mutating func keep(_ state: AggregateState) {
    streams[state.aggregate]?.shorten(to: state)
  }

  /// The aggregate is over.
  mutating func forget(_ aggregate: AggregateID) { streams[aggregate] = nil }

  /// What the next server goes on from.
  func recovery() throws(BrokenStream) -> Recovery {
    var recovery = Recovery()
    for stream in streams.values { try recovery.take(stream) }
    recovery.take(endings)
    return recovery
  }
}
