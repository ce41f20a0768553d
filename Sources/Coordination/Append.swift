package import Vocabulary
package import Wire

/// What is to be kept at once, all or none: the steps of one aggregate, behind its event numbered
/// `after`.
///
/// An answer is kept with its events, so that a repeated request is answered as before even by a
/// server that was started anew.
package struct Append: Equatable, Sendable {
  /// What one command came to: what happened, and the answer to whoever asked.
  ///
  /// Without events it changed nothing, or was refused.
  package struct Step: Equatable, Sendable {
    package let events: [RecordedEvent]
    package let answer: RecordedAnswer?

    /// A step.
    package init(_ events: [RecordedEvent], answer: RecordedAnswer? = nil) {
      self.events = events
      self.answer = answer
    }
  }

  package let aggregate: AggregateID
  /// The number of the event before these; 0 begins a stream.
  package let after: Int
  /// One for each command, in the order in which they were decided.
  package private(set) var steps: [Step]

  /// The steps of several commands.
  package init(to aggregate: AggregateID, after: Int, steps: [Step]) {
    self.aggregate = aggregate
    self.after = after
    self.steps = steps
  }

  /// A single step.
  package init(
    to aggregate: AggregateID, after: Int, _ events: [RecordedEvent], answer: RecordedAnswer? = nil
  ) {
    self.init(to: aggregate, after: after, steps: [Step(events, answer: answer)])
  }

  /// Whoever asked for a step is gone: nothing is kept of its answer.
  mutating func dropAnswer(ofStep place: Int) { steps[place] = Step(steps[place].events) }

  /// The events of all steps, in order.
  package var events: [RecordedEvent] {
    steps.count == 1 ? steps[0].events : steps.flatMap(\.events)
  }
}

/// What a device's request came to.
package struct RecordedAnswer: Equatable, Sendable {
  package let device: DeviceID
  package let request: RequestID
  package let outcome: RequestOutcome
  /// Which of the device's requests it is, counted from 1: only the late ones are kept.
  package let number: Int
  /// Which of the device's lives asked; of no use to another server.
  package let life: UInt32

  /// What a request came to.
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

/// What a request came to.
package enum RequestOutcome: Equatable, Sendable {
  case answered(Answer)
  indirect case refused(ProtocolError)
}

extension [RecordedAnswer] {
  /// The answers by their numbers; most come so, and are left as they are.
  package func inOrder() -> [RecordedAnswer] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0.number < $1.number }
    return isInOrder ? self : sorted { $0.number < $1.number }
  }
}
