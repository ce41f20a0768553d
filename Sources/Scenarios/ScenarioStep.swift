/// A step of a scenario: what people do at a moment, and what they must see afterwards.
package struct ScenarioStep: Equatable, Sendable {
  /// When a step is due.
  package enum Moment: Equatable, Sendable {
    /// This long after the start of the scenario.
    case at(Duration)
    /// This long after all expectations of earlier steps were met.
    case after(Duration)
  }

  /// One peer's verb.
  package struct Cue: Equatable, Sendable {
    package var peer: String
    package var verb: Verb
    /// The verb's text in the file.
    package var text: String

    package init(_ peer: String, _ verb: Verb, text: String) {
      self.peer = peer
      self.verb = verb
      self.text = text
    }
  }

  package var moment: Moment
  /// The name of the phase that begins with this step; players' differences are measured per phase.
  package var phase: String?
  /// What is done to the server, before the cues.
  package var server: [ServerVerb]
  /// Performed at the same moment, in this order.
  package var cues: [Cue]
  package var expectations: [Expectation] = []
}

/// What some peers must see, and in what time.
package struct Expectation: Equatable, Sendable {
  /// When, and for how long, a condition has to hold; all times count from the step.
  package enum Manner: Equatable, Sendable {
    /// At some moment within this time.
    case once(within: Duration)
    /// Without a gap for a period that begins within this time.
    case lasting(Duration, within: Duration)
    /// All the time from the step on.
    case throughout(Duration)
  }

  package var peers: [String]
  package var condition: ScenarioCondition
  /// When the condition has to hold.
  package var manner: Manner
  /// The condition's text in the file.
  package var text: String
  /// The condition's line in the file.
  package var line: Int
}
