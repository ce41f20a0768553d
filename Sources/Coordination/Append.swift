package import Vocabulary
package import Wire

/// What one append stores, completely or not at all: an aggregate's steps after the event numbered
/// `after`.
///
/// Answers are stored with their events, so that a repeated request gets the same answer even from
/// a restarted server.
package struct Append: Equatable, Sendable {
  /// The outcome of one command: its events, and the answer to the sender.
  ///
  /// It has no events if the command changed nothing or was refused.
  package struct Step: Equatable, Sendable {
    package let events: [RecordedEvent]
    package let answer: RecordedAnswer?

    package init(_ events: [RecordedEvent], answer: RecordedAnswer? = nil) {
      self.events = events
      self.answer = answer
    }
  }

  package let aggregate: AggregateID
  /// The number of the event before these; 0 at the beginning of a stream.
  package let after: Int
  /// One step per command, in the order of the decisions.
  package private(set) var steps: [Step]

  /// Makes an append of several commands' steps.
  package init(to aggregate: AggregateID, after: Int, steps: [Step]) {
    self.aggregate = aggregate
    self.after = after
    self.steps = steps
  }

  /// Makes an append with a single step.
  package init(
    to aggregate: AggregateID, after: Int, _ events: [RecordedEvent], answer: RecordedAnswer? = nil
  ) {
    self.init(to: aggregate, after: after, steps: [Step(events, answer: answer)])
  }

  /// Removes the answer of a step, because the device that asked is gone.
  mutating func dropAnswer(ofStep index: Int) { steps[index] = Step(steps[index].events) }

  /// The events of all steps, in order.
  package var events: [RecordedEvent] {
    steps.count == 1 ? steps[0].events : steps.flatMap(\.events)
  }
}

/// The outcome of a device's request.
package struct RecordedAnswer: Equatable, Sendable {
  package let device: DeviceID
  package let request: RequestID
  package let outcome: RequestOutcome
  /// The request's number on its device, from 1; only the latest ones are kept.
  package let number: Int
  /// The device's life that sent the request; it has no meaning on another server.
  package let life: UInt32

  package init(
    device: DeviceID, request: RequestID, _ outcome: RequestOutcome, number: Int, life: UInt32 = 0
  ) {
    self.device = device
    self.request = request
    self.outcome = outcome
    self.number = number
    self.life = life
  }
}

/// The outcome of a request.
package enum RequestOutcome: Equatable, Sendable {
  case answered(Answer)
  indirect case refused(ProtocolError)
}

extension [RecordedAnswer] {
  /// The answers sorted by number; most lists are sorted already and are returned as they are.
  package func inOrder() -> [RecordedAnswer] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0.number < $1.number }
    return isInOrder ? self : sorted { $0.number < $1.number }
  }
}
