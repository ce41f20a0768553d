import Vocabulary

/// How a scenario went.
package struct ScenarioReport: Equatable, Sendable {
  package var scenario: String
  package var entries: [TimelineEntry]
  /// The parts with a name that began, in order; each lasts until the next.
  package var phases: [Phase] = []
  /// How long it took.
  package var duration: Duration
  /// How far apart the running players were, over all looks; `nil` if no two ran together.
  package var spread: Spread?

  /// Whether every expectation was met.
  package var hasPassed: Bool { !entries.contains(where: \.isFailure) }

  /// How many expectations were met.
  package var metCount: Int {
    entries.count { if case .met = $0.event { true } else { false } }
  }

  /// A part of the scenario with a name.
  package struct Phase: Equatable, Sendable {
    package var name: String
    /// When it began, since the scenario did.
    package var at: Duration
    /// What was done as it began.
    package var cues: [ScenarioStep.Cue]
    /// What befell the server as it began.
    package var server: [ServerVerb]

    /// A phase.
    package init(
      _ name: String, at: Duration, cues: [ScenarioStep.Cue], server: [ServerVerb] = []
    ) {
      self.name = name
      self.at = at
      self.cues = cues
      self.server = server
    }
  }

  /// How far apart players were.
  package struct Spread: Equatable, Sendable {
    /// How often it was looked.
    package var looks: Int
    package var median: Duration
    /// 95 of 100 looks found no more.
    package var percentile95: Duration
    package var worst: Duration

    init?(_ samples: [Duration]) {
      guard !samples.isEmpty else { return nil }
      let sorted = samples.sorted()
      looks = sorted.count
      median = sorted[(sorted.count - 1) / 2]
      percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
      worst = sorted[sorted.count - 1]
    }
  }
}
