import Coordination
import Vocabulary
import Wire

/// What the loop hands the store's thread: encoded already, in the order it is to be kept.
enum JournalEntry: Sendable {
  case append(EncodedAppend)
  case snapshot(AggregateID, seq: Int, at: Instant, body: String)
  case forget(AggregateID, at: Instant)
}

/// An append as rows.
struct EncodedAppend: Sendable {
  struct Event: Sendable {
    let at: Instant
    let body: String
  }

  struct Answer: Sendable {
    let device: DeviceID
    let number: Int
    let request: RequestID
    let body: String
  }

  /// What one command came to.
  struct Step: Sendable {
    let events: [Event]
    let answer: Answer?
  }

  let aggregate: AggregateID
  let after: Int
  let steps: [Step]
}

extension RecordWriter {
  mutating func encode(_ append: Append) -> EncodedAppend {
    EncodedAppend(
      aggregate: append.aggregate, after: append.after,
      steps: append.steps.map { step in
        .init(
          events: step.events.map { .init(at: $0.at, body: text(of: $0.event)) },
          answer: step.answer.map {
            .init(
              device: $0.device, number: $0.number, request: $0.request,
              body: text(of: $0.outcome))
          })
      })
  }
}
