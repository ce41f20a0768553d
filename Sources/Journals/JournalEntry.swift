import Coordination
import Vocabulary
import Wire

/// What the loop hands to the store's thread, already encoded, in the order of writing.
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

  /// The result of one command.
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

extension AggregateKind {
  /// Whether all of an ended stream is erased.
  ///
  /// A forgotten device's secret and answers are of no use, nor is data that nobody can load; and
  /// the data of a wiped person must not stay. Of groups and sessions the history stays.
  var isErasedAtEnd: Bool {
    switch self {
    case .attachment, .device, .user, .tray, .name: true
    case .group, .session: false
    }
  }
}

/// What a turn of the loop hands over.
struct JournalTurn: Sendable {
  /// Counted from 1.
  let number: Int
  let entries: [JournalEntry]
}

/// What the store's thread reports.
struct JournalReport: Sendable {
  /// The turns that it is about, in order.
  let turns: [Int]
  /// The turns of which it is not known whether they are written; another report follows.
  var unknown: [Int] = []
  /// Why nothing of them was written, or it is not known; `nil` if all of it was.
  let failure: String?
  /// How many bytes the journal takes now.
  let size: Int
  /// Why nothing can be written any more: another server has the journal, or the database has lost
  /// what this one has written; `nil` if it can.
  var end: String?
}
