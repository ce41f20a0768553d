import Vocabulary

/// One moment of a scenario: what people do, and what is to be seen of it.
package struct ScenarioStep: Equatable, Sendable {
  /// When a step's turn comes.
  package enum Moment: Equatable, Sendable {
    /// That long after the scenario began.
    case at(Duration)
    /// That long after everything that earlier steps expect has been seen.
    case after(Duration)
  }

  /// One person doing one thing.
  package struct Cue: Equatable, Sendable {
    package var peer: String
    package var verb: Verb
    /// The verb as it was written.
    package var text: String

    /// Somebody's verb.
    package init(_ peer: String, _ verb: Verb, text: String) {
      self.peer = peer
      self.verb = verb
      self.text = text
    }
  }

  package var moment: Moment
  /// What the part of the scenario that begins here is called, where its playheads are measured.
  package var phase: String?
  /// What befalls the server, before anybody does anything.
  package var server: [ServerVerb]
  /// All at once, in this order.
  package var cues: [Cue]
  package var expectations: [Expectation]

  /// A step.
  package init(
    _ moment: Moment, phase: String? = nil, server: [ServerVerb] = [], cues: [Cue] = [],
    expectations: [Expectation] = []
  ) {
    self.moment = moment
    self.phase = phase
    self.server = server
    self.cues = cues
    self.expectations = expectations
  }
}

/// What some peers must see, and by when.
package struct Expectation: Equatable, Sendable {
  /// How true something has to be; all counted from the step.
  package enum Manner: Equatable, Sendable {
    /// At some moment within that time.
    case once(within: Duration)
    /// Without a gap, for a stretch that begins within that time.
    case lasting(Duration, within: Duration)
    /// From the step on, all the time.
    case throughout(Duration)
  }

  package var peers: [String]
  package var condition: ScenarioCondition
  /// How true it has to be.
  package var manner: Manner
  /// The condition as it was written.
  package var text: String
  /// The line of the file where it stands.
  package var line: Int

  /// An expectation.
  package init(
    _ peers: [String], _ condition: ScenarioCondition, _ manner: Manner, text: String = "",
    line: Int = 0
  ) {
    self.peers = peers
    self.condition = condition
    self.manner = manner
    self.text = text
    self.line = line
  }
}
